"""The name that a user gave a session is what everybody reads, wherever the session is named."""

import pytest

from pendesk.domain.errors import HeldByYourOtherSession
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import published_spec

NAMED = "Claude Code on ada-laptop (api)"


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada)


async def sessions(desk, ada):
    listed = (await desk.call(ada, "list_agents"))["agents"]
    return [(session["name"], session.get("givenName")) for agent in listed for session in agent["sessions"]]


async def test_a_given_name_stands_in_refusals_lists_cards_events_and_hand_overs(desk, ada, work, terminal):
    pid = work.actions[0]["pid"]
    holder, other = terminal(given="api"), terminal(given="web")
    await desk.call(holder, "claim_action", action_pid=pid)
    with refused(HeldByYourOtherSession) as caught:
        await desk.call(other, "claim_action", action_pid=pid)
    assert caught.refusal.details["agent"] == NAMED
    assert NAMED in str(caught.refusal)
    assert await sessions(desk, ada) == [(NAMED, "api")]
    board = await desk.call(ada, "get_board", project_id=work.project_id)
    holders = [card["holder"] for column in board["columns"] for card in column["cards"] if card.get("holder")]
    assert [card_holder["agent"] for card_holder in holders] == [NAMED]
    assert (await desk.call(ada, "get_timeline"))["events"][0]["agent"] == NAMED
    assert (await desk.call(ada, "list_events", action_pid=pid))["events"][-1]["agent"] == NAMED
    desk.clock.forward(6 * MINUTE)
    await desk.call(other, "claim_action", action_pid=pid, take_over=True)
    assert (await desk.call(other, "get_action_brief", action_pid=pid))["handOver"]["untrusted"]["holder"] == NAMED


async def test_a_session_without_a_name_gets_the_first_it_is_given_and_keeps_it(desk, ada, work, terminal):
    pid = work.actions[0]["pid"]
    await desk.call(terminal(process="1"), "claim_action", action_pid=pid)
    assert await sessions(desk, ada) == [("Claude Code on ada-laptop", None)]
    for given in ("api", "other"):
        await desk.call(terminal(process="1", given=given), "claim_action", action_pid=pid)
        assert await sessions(desk, ada) == [(NAMED, "api")]


async def test_of_two_sessions_that_are_one_the_given_name_stays(desk, ada, work, terminal):
    await desk.call(terminal(process="1"), "claim_action", action_pid=work.actions[0]["pid"])
    await desk.call(terminal(given="api"), "claim_action", action_pid=work.actions[1]["pid"])
    await desk.call(terminal(process="1", given="api"), "claim_action", action_pid=work.actions[0]["pid"])
    assert await sessions(desk, ada) == [(NAMED, "api")]


async def test_a_name_costs_a_statement_only_when_it_is_new(desk, work, terminal, monkeypatch):
    names = []
    monkeypatch.setattr("pendesk.store.agent_sessions.set_name", lambda _tx, _id, name: names.append(name))
    for _call in range(2):
        await desk.call(terminal(given="api"), "claim_action", action_pid=work.actions[0]["pid"])
    assert names == []
