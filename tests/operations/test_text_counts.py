"""How much long text is written: counted by account and workspace, refused beyond a quota, on both engines."""

import asyncio

import pytest

from pendesk.domain.access import TOKEN_SCOPES
from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import COUNTED_TEXT_CHARS, DAY_US, UNSAVED_TEXT_BYTES, Limits
from pendesk.operations import text_counts
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.housekeeping import count_text, delete_old_text_use
from pendesk.operations.housekeeping.count_text import CountText
from pendesk.operations.registry import OPERATIONS
from tests.refusals import refused
from tests.workbench import published_spec

LONG = "x" * 10_000
SMALL = Limits(workspace_text_bytes=400_000, account_text_bytes_per_day=200_000)
FEW = 60  # notes of LONG: more than every quota here


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada)


@pytest.fixture
async def agent(desk, ada):
    token = (await desk.call(ada, "create_token", name="CI", scopes=sorted(TOKEN_SCOPES)))["tokenId"]
    return ada._replace(via="rest", scopes=TOKEN_SCOPES, token_id=token)


@pytest.fixture
def at_once(monkeypatch):
    """What was written is saved with the next write, however little it is."""
    monkeypatch.setattr(text_counts, "UNSAVED_TEXT_BYTES", 1)


def give_limits(desk, limits):
    desk.dispatcher = Dispatcher(desk.store, OPERATIONS, desk.installation._replace(limits=limits))


async def write_until_refused(desk, actor, work):
    for count in range(FEW):
        try:
            await desk.call(actor, "create_note", project_id=work.project_id, title="Log", body=LONG)
        except RuleBroken as refusal:
            return count, refusal
    raise AssertionError("nothing was refused")


async def usage(desk, actor):
    return {name: use["usedBytes"] for name, use in (await desk.call(actor, "get_usage")).items()}


async def test_a_token_writes_so_much_in_a_day_and_its_person_goes_on(desk, ada, agent, work):
    give_limits(desk, SMALL)
    count, refusal = await write_until_refused(desk, agent, work)
    assert (refusal.code, refusal.details["setting"]) == ("text_quota", "account_text_bytes_per_day")
    # Each note is kept as itself and as its first revision; a process lets through what it had not saved yet.
    assert 200_000 <= refusal.details["used"] <= 200_000 + UNSAVED_TEXT_BYTES + 4 * len(LONG)
    assert count * 2 * len(LONG) <= refusal.details["used"] <= count * 4 * len(LONG)
    notes = (await desk.call(ada, "list_notes", project_id=work.project_id))["notes"]
    assert len(notes) == count
    await desk.call(ada, "create_note", project_id=work.project_id, title="Mine", body=LONG)


async def test_on_the_next_day_the_token_goes_on(desk, agent, work):
    give_limits(desk, SMALL)
    _, refusal = await write_until_refused(desk, agent, work)
    desk.clock.forward(DAY_US)
    await desk.call(agent, "create_note", project_id=work.project_id, title="Log", body=LONG)
    assert refusal.details["againAt"] == "2027-01-16T00:00:00.000Z"


async def test_a_full_workspace_refuses_people_too(desk, ada, work):
    give_limits(desk, SMALL)
    _, refusal = await write_until_refused(desk, ada, work)
    assert refusal.details["setting"] == "workspace_text_bytes"
    with refused(RuleBroken) as caught:
        await desk.call(ada, "create_project", name="Another")
    assert caught.refusal.code == "text_quota"


async def test_who_may_write_no_more_reads_and_hands_the_work_back(desk, agent, work):
    first, second = (action["pid"] for action in work.actions)
    await desk.call(agent, "claim_action", action_pid=first)
    give_limits(desk, SMALL)
    await write_until_refused(desk, agent, work)
    with refused(RuleBroken):
        await desk.call(agent, "update_progress", action_pid=first, status="started", message="More.")
    await desk.call(agent, "get_action_brief", action_pid=first)
    await desk.call(agent, "release_action", action_pid=first)
    await desk.call(agent, "claim_action", action_pid=second)
    await desk.call(agent, "submit_for_review", action_pid=second, summary="Done.", branch="b", head_sha="a" * 40)


async def test_short_texts_do_not_count(desk, agent, work, at_once):
    short = "x" * (COUNTED_TEXT_CHARS - 400)  # its event's JSON is a little longer
    for _ in range(3):
        await desk.call(agent, "create_note", project_id=work.project_id, title="Log", body=short)
    assert (await usage(desk, agent))["accountText"] == 0


async def test_a_refused_write_counts_nothing(desk, agent, work, at_once):
    for _ in range(2):
        with refused(RuleBroken):
            await desk.call(agent, "release_action", action_pid=work.actions[0]["pid"], message=LONG)
    assert (await usage(desk, agent))["accountText"] == 0


async def test_bytes_are_counted_and_not_characters(desk, agent, work, at_once):
    for body in ("é" * 10_000, ""):
        await desk.call(agent, "create_note", project_id=work.project_id, title="Log", body=body)
    assert (await usage(desk, agent))["accountText"] >= 2 * 20_000


async def test_two_that_find_much_save_it_once(desk, agent, work, at_once):
    await desk.call(agent, "create_note", project_id=work.project_id, title="Log", body=LONG)
    await asyncio.gather(
        *(desk.call(agent, "create_note", project_id=work.project_id, title=f"Short {n}", body="") for n in range(5))
    )
    used = await usage(desk, agent)
    assert 2 * len(LONG) <= used["accountText"] == used["workspaceText"] <= 4 * len(LONG)


async def test_what_several_processes_count_at_once_adds_up(desk, agent):
    counts = [desk.dispatcher.call_as_server(count_text.OPERATION, CountText(agent, 1_000)) for _ in range(20)]
    assert {counted.refusal for counted in await asyncio.gather(*counts)} == {None}
    used = await usage(desk, agent)
    assert (used["accountText"], used["workspaceText"]) == (20_000, 20_000)


async def test_counts_of_past_days_are_deleted_and_the_workspace_s_stays(desk, agent, work, at_once):
    for _ in range(2):
        await desk.call(agent, "create_note", project_id=work.project_id, title="Log", body=LONG)
    written = await usage(desk, agent)
    desk.clock.forward(DAY_US)
    await desk.dispatcher.call_as_server(delete_old_text_use.OPERATION, None)
    assert await usage(desk, agent) == written | {"accountText": 0}
    rows = await desk.store.read(
        desk.workspace, lambda tx: tx.all("SELECT user_id, day FROM text_use WHERE workspace_id = :workspace")
    )
    assert rows == [("", 0)]
