"""A brief says at once whether the caller holds the action, who does if not, and what to do: never what is refused."""

import re

import pytest

from pendesk.domain.access import BUILDING_SCOPES, Role, Scope
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from tests.desk import MINUTE
from tests.workbench import published_spec


@pytest.fixture
async def grace(desk):
    return await desk.person("Grace")


@pytest.fixture
async def work(desk, ada, grace):
    return await published_spec(desk, ada, actions=5, chain=False, participants=(grace,))


@pytest.fixture
async def terminal(desk, ada):
    """A terminal of Ada's agent: terminal("1"), or terminal() of which nothing is known."""
    scopes = ["specs.read", "builds.write"]
    token_id = (await desk.call(ada, "create_token", name="Ada's laptop", scopes=scopes))["tokenId"]

    def make(*processes):
        marks = frozenset(make_mark(MarkKind.PROCESS, process) for process in processes)
        origin = CallOrigin(client="claude-code", machine="ada-laptop", marks=marks)
        return ada._replace(via="mcp", scopes=BUILDING_SCOPES, token_id=token_id, origin=origin)

    return make


async def brief_of(desk, actor, action, **arguments):
    return await desk.call(actor, "get_action_brief", action_pid=action["pid"], **arguments)


async def claim(desk, actor, action):
    return await desk.call(actor, "claim_action", action_pid=action["pid"])


async def claims_what_is_advised(desk, actor, next_step):
    """Each action that it says to claim can be claimed."""
    named = re.search(r"[Cc]laim (PEN-\d+)", next_step)
    assert named, next_step
    await desk.call(actor, "claim_action", action_pid=named[1])
    return named[1]


async def test_what_is_free_is_to_be_claimed_first(desk, grace, work):
    brief = await brief_of(desk, grace, work.actions[0])
    assert list(brief)[:2] == ["availability", "next_step"]
    assert brief["availability"] == "free"
    assert brief["next_step"] == "Free: claim PEN-1 with claim_action before you change anything."
    assert await claims_what_is_advised(desk, grace, brief["next_step"]) == "PEN-1"


async def test_the_holder_is_told_until_when_and_how_to_go_on(desk, grace, work):
    action = work.actions[0]
    await claim(desk, grace, action)
    brief = await brief_of(desk, grace, action)
    until = brief["claim"]["expiresAt"][11:16]
    assert brief["availability"] == "mine"
    assert brief["next_step"].startswith(f"You hold PEN-1 until {until} UTC. Build it, report_commit")
    rev = brief["briefRev"]
    assert (await brief_of(desk, grace, action, brief_rev=rev))["next_step"] == brief["next_step"]
    await desk.call(grace, "request_clarification", action_pid=action["pid"], question="Which?")
    assert "answer_clarification" in (await brief_of(desk, grace, action))["next_step"]


async def test_what_another_agent_holds_names_it_and_what_to_claim_instead(desk, grace, terminal, work):
    first, second = terminal("1"), terminal("2")
    await claim(desk, first, work.actions[0])
    desk.clock.forward(3 * MINUTE)
    await brief_of(desk, first, work.actions[0])
    for reader, name in ((grace, "Claude Code on ada-laptop (Ada)"), (second, "Claude Code on ada-laptop")):
        brief = await brief_of(desk, reader, work.actions[0])
        assert (brief["availability"], brief["heldBy"]["agent"]) == ("held", name)
        assert brief["heldBy"]["since"] < brief["heldBy"]["lastSign"]
        assert f"held by {name}" in brief["next_step"]
        assert "claim" not in brief
        await claims_what_is_advised(desk, reader, brief["next_step"])


async def test_where_nothing_tells_two_terminals_apart_both_ways_are_said(desk, terminal, work):
    await claim(desk, terminal(), work.actions[0])
    brief = await brief_of(desk, terminal(), work.actions[0])
    assert (brief["availability"], brief["heldBy"]["agent"]) == ("held", "you or another terminal of yours")
    assert brief["claim"]["fence"] == 1
    assert re.search("If it was not this conversation, leave it.*Else: Build it", brief["next_step"])


async def test_what_waits_says_for_what_and_what_to_begin_with(desk, ada, grace):
    work = await published_spec(desk, ada, actions=3, chain=True, participants=(grace,))
    brief = await brief_of(desk, grace, work.actions[2])
    assert brief["availability"] == "blocked"
    assert brief["waitsFor"] == [{"refCode": "PEN-2", "availability": "blocked", "startWith": ["PEN-1"]}]
    assert await claims_what_is_advised(desk, grace, brief["next_step"]) == "PEN-1"


async def test_who_has_no_slot_is_not_sent_to_claim(desk, grace, work):
    for action in work.actions[:3]:
        await claim(desk, grace, action)
    brief = await brief_of(desk, grace, work.actions[3])
    assert brief["availability"] == "free"
    assert "release it with release_action" in brief["next_step"]
    assert not re.search(r"[Cc]laim PEN", brief["next_step"])


async def test_who_may_only_read_is_not_sent_to_claim(desk, grace, work):
    viewer = (await desk.person("Vera", Role.VIEWER))._replace(scopes=frozenset({Scope.SPECS_READ, Scope.DESK_READ}))
    for reader in (viewer, grace._replace(scopes=frozenset({Scope.SPECS_READ}))):
        brief = await brief_of(desk, reader, work.actions[0])
        assert not re.search(r"[Cc]laim PEN", brief["next_step"])


async def test_who_takes_no_part_is_told_whom_to_ask(desk, work):
    reader = await desk.person("Hugo")
    brief = await brief_of(desk, reader, work.actions[0])
    assert (brief["availability"], brief["notReadyReason"]) == ("not_ready", "not_a_participant")
    assert "participant" in brief["next_step"]


async def test_in_review_changes_requested_and_done(desk, ada, grace, work):
    about = {"action_pid": work.actions[0]["pid"]}
    submission = {"summary": "Done.", "pr_url": "https://git.example.com/1"}
    await claim(desk, grace, work.actions[0])
    await desk.call(grace, "submit_for_review", **submission, **about)
    brief = await brief_of(desk, grace, work.actions[0])
    assert (brief["availability"], "until the verdict" in brief["next_step"]) == ("in_review", True)
    await claims_what_is_advised(desk, ada, (await brief_of(desk, ada, work.actions[0]))["next_step"])

    item = {"text": "Name it."}
    await desk.call(ada, "review_action", verdict="changes_requested", summary="No.", items=[item], **about)
    brief = await brief_of(desk, grace, work.actions[0])
    assert brief["availability"] == "changes_requested"
    assert await claims_what_is_advised(desk, grace, brief["next_step"]) == "PEN-1"
    brief = await brief_of(desk, grace, work.actions[0])
    assert (brief["availability"], "resubmit_for_review" in brief["next_step"]) == ("mine", True)

    dispositions = [{"itemId": brief["review"]["items"][0]["id"], "disposition": "fixed", "note": "Named."}]
    await desk.call(grace, "resubmit_for_review", dispositions=dispositions, **submission, **about)
    verdicts = [{"criterionId": criterion, "verdict": "confirmed"} for criterion in work.actions[0]["criteria"]]
    await desk.call(ada, "review_action", verdict="approved", summary="Yes.", verdicts=verdicts, **about)
    brief = await brief_of(desk, grace, work.actions[0])
    done = "PEN-1 is complete: nothing is left to do."
    assert (brief["availability"], brief["next_step"]) == ("done", f"{done} list_available_specs shows what is next.")
    await claim(desk, grace, work.actions[2])
    brief = await brief_of(desk, grace, work.actions[0])
    assert brief["next_step"] == f"{done} Go on with PEN-3, which you hold."


async def test_an_expired_claim_goes_on_or_says_what_to_do(desk, grace, work):
    await claim(desk, grace, work.actions[0])
    desk.clock.forward(40 * MINUTE)
    for action in work.actions[1:4]:
        await claim(desk, grace, action)
    brief = await brief_of(desk, grace, work.actions[0])
    assert (brief["availability"], "claim" in brief) == ("mine", False)
    assert "release it with release_action" in brief["next_step"]
    await desk.call(grace, "release_action", action_pid=work.actions[1]["pid"])
    brief = await brief_of(desk, grace, work.actions[0])
    assert brief["next_step"].startswith("You hold PEN-1 until")
