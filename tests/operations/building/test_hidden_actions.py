"""What the building tools do not show is named by none of them: neither in a list nor in a refusal."""

import json

import pytest

from pendesk.domain.access import BUILDING_SCOPES, Role
from pendesk.domain.errors import NotFound, RuleBroken
from tests.refusals import refused
from tests.workbench import drafted_spec, published_spec

NOTE = "a person decides whether it goes on"
DROP = {"status": "wont-do", "message": "Not needed."}


@pytest.fixture
async def builder(desk):
    return (await desk.person("Grace"))._replace(scopes=BUILDING_SCOPES)


@pytest.fixture
async def work(desk, ada, builder):
    """PEN-1 waits for PEN-3, in the backlog, and PEN-4, of a spec without Grace; both wait for PEN-2."""
    work = await published_spec(desk, ada, participants=(builder,))
    await desk.call(ada, "create_task", project_id="PEN", label="An idea", status="backlog")
    other = await desk.call(ada, "create_spec", project_id="PEN", title="Not hers", summary="Other work.")
    plan = await desk.call(ada, "create_plan", spec_id=other["pid"], title="Plan", approach="Begin.")
    await desk.call(ada, "create_action", plan_id=plan["pid"], label="Theirs", criteria=["It holds"])
    await desk.call(ada, "publish_build", spec_id=other["pid"])
    for hidden in ("PEN-3", "PEN-4"):
        for before, after in ((hidden, "PEN-1"), ("PEN-2", hidden)):
            await desk.call(ada, "create_edge", project_id="PEN", from_task_id=before, to_task_id=after, label="blocks")
    return work


def names_hidden(answer):
    return [ref for ref in ("PEN-3", "PEN-4") if ref in json.dumps(answer)]


async def test_what_an_action_waits_for_is_there_without_a_name(desk, builder, work):
    brief = await desk.call(builder, "get_action_brief", action_pid="PEN-1")
    listed = await desk.call(builder, "list_available_specs")
    whole = await desk.call(builder, "get_spec", spec_pid=work.spec_id)
    assert names_hidden([brief, listed, whole]) == []
    assert brief["availability"] == "blocked"
    assert [wait.get("refCode") for wait in brief["waitsFor"]] == [None, None]
    with refused(RuleBroken, "prerequisites_open", "an action that your tools do not show") as caught:
        await desk.call(builder, "claim_action", action_pid="PEN-1")
    assert names_hidden([caught.refusal.message, caught.refusal.details]) == []


async def test_what_a_person_moved_back_to_the_backlog_is_not_in_the_spec(desk, ada, builder):
    work = await published_spec(desk, ada, participants=(builder,))
    await desk.call(ada, "update_action", action_id="PEN-2", state="backlog")
    whole = await desk.call(builder, "get_spec", spec_pid=work.spec_id)
    assert [action["refCode"] for action in whole["actions"]] == ["PEN-1"]


async def test_who_reads_the_whole_desk_reads_the_names(desk, ada, work):
    brief = await desk.call(ada, "get_action_brief", action_pid="PEN-1")
    assert sorted(wait["refCode"] for wait in brief["waitsFor"]) == ["PEN-3", "PEN-4"]


async def test_dropping_counts_what_waits_and_names_only_what_is_shown(desk, ada, builder, work):
    await desk.call(builder, "claim_action", action_pid="PEN-2")
    answer = await desk.call(builder, "update_progress", action_pid="PEN-2", **DROP)
    assert answer["next_step"] == (
        "2 that you do not see wait for it. A person decides in the inbox: release them, or reopen this one."
    )


async def test_code_of_a_spec_that_the_caller_takes_no_part_in_is_not_shown(desk, ada, builder, work):
    await desk.call(ada, "update_task", task_id="PEN-2", status="wont_do", reason="No.")
    await desk.call(ada, "release_dependents", action_id="PEN-2")
    claim = await desk.call(ada, "claim_action", action_pid="PEN-4")
    brief = await desk.call(ada, "get_action_brief", action_pid="PEN-4")
    (criterion,) = brief["action"]["acceptanceCriteria"]
    await desk.call(ada, "submit_for_review", action_pid="PEN-4", pr_url="https://example.com/pr/1", summary="Done.")
    verdict = {"criterionId": criterion["id"], "verdict": "confirmed"}
    await desk.call(ada, "review_action", action_pid="PEN-4", verdict="approved", summary="Good.", verdicts=[verdict])
    assert claim["status"] == "started"
    assert [row["refCode"] for row in (await brief_of(desk, ada))["prerequisites"]] == ["PEN-4"]
    assert "prerequisites" not in await brief_of(desk, builder)
    owner = await desk.person("Olga", Role.OWNER)
    await desk.call(owner, "set_participation", participation="everyone")
    assert [row["refCode"] for row in (await brief_of(desk, builder))["prerequisites"]] == ["PEN-4"]


async def brief_of(desk, actor):
    return await desk.call(actor, "get_action_brief", action_pid="PEN-1")


async def test_the_nearest_ref_is_never_one_of_an_unpublished_spec(desk, ada, builder):
    work = await drafted_spec(desk, ada)
    await desk.call(ada, "add_participant", spec_id=work.spec_id, user_id=builder.user_id)
    with refused(NotFound) as caught:
        await desk.call(builder, "get_action_brief", action_pid="PEN-9")
    assert "PEN-1" not in caught.refusal.message
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    with refused(NotFound, None, "Nearest: PEN-2"):
        await desk.call(builder, "get_action_brief", action_pid="PEN-9")


async def test_what_waits_for_something_dropped_says_that_a_person_decides(desk, ada, builder):
    await published_spec(desk, ada, chain=True, participants=(builder,))
    await desk.call(builder, "claim_action", action_pid="PEN-1")
    await desk.call(builder, "update_progress", action_pid="PEN-1", **DROP)
    listed = await desk.call(builder, "list_available_specs")
    (row,) = (row for row in listed["specs"][0]["actions"] if row["refCode"] == "PEN-2")
    assert row["waitsFor"] == [{"refCode": "PEN-1", "availability": "wont_do", "note": NOTE}]
    assert "1 of those waits for what was dropped, until a person decides in the inbox." in listed["notice"]
