"""Specs, their participants and their plans."""

import pytest

from pendesk.domain.errors import BadField, NotFound, RevisionConflict, RuleBroken
from pendesk.domain.limits import LIST_ITEMS, PLAN_DRAFTS
from pendesk.ids import new_id
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import drafted_spec, next_door, published_spec


@pytest.fixture
async def spec(desk, ada, project):
    return await desk.call(ada, "create_spec", project_id="PEN", title="Sign in", results=["It works"])


async def test_a_spec_belongs_to_its_project_and_its_creator_takes_part(desk, ada, project, spec):
    draft = await desk.call(ada, "get_spec_draft", spec_id=spec["pid"])
    assert (draft["projectId"], draft["projectKey"], draft["build"]) == (project["pid"], "PEN", None)
    assert [participant["name"] for participant in draft["participants"]] == ["Ada"]


async def test_an_edit_of_a_spec_keeps_every_revision(desk, ada, grace, spec):
    desk.clock.forward(1_000_000)
    await desk.call(grace, "update_spec", spec_id=spec["pid"], results=["It works", "It is fast"])
    page = await desk.call(ada, "list_revisions", object_id=spec["pid"])
    revisions = [(revision["revision"], revision["author"], revision["fields"]) for revision in page["revisions"]]
    assert revisions[0] == (2, "Grace", ["results"])
    assert revisions[1][:2] == (1, "Ada")
    (first,) = (await desk.call(ada, "list_revisions", object_id=spec["pid"], revision=1))["revisions"]
    assert first["content"]["results"] == ["It works"]


async def test_a_conflict_tells_who_changed_what_and_when(desk, ada, grace, spec):
    desk.clock.forward(1_000_000)
    changed = await desk.call(grace, "update_spec", spec_id=spec["pid"], summary="Grace's words")
    with refused(RevisionConflict) as caught:
        await desk.call(ada, "update_spec", spec_id=spec["pid"], summary="Ada's words", expected_revision=1)
    assert caught.refusal.details == {
        "currentRevision": 2,
        "changedBy": "Grace",
        "changedAt": changed["updatedAt"],
        "changed": {"summary": "Grace's words"},
    }
    assert "expected_revision 2" in caught.refusal.message


async def test_a_merged_edit_is_accepted_on_the_current_revision(desk, ada, spec):
    await desk.call(ada, "update_spec", spec_id=spec["pid"], summary="First")
    merged = await desk.call(ada, "update_spec", spec_id=spec["pid"], summary="Both", expected_revision=2)
    assert (merged["summary"], merged["revision"]) == ("Both", 3)


async def test_an_edit_that_changes_nothing_keeps_the_revision(desk, ada, spec):
    same = await desk.call(ada, "update_spec", spec_id=spec["pid"], title="Sign in", results=["It works"])
    assert same["revision"] == 1
    assert await events_of(desk, ada, "spec.edited") == []


async def test_a_spec_is_moved_to_a_goal_and_away_from_it(desk, ada, spec):
    goal = await desk.call(ada, "create_goal", project_id="PEN", title="Usable")
    moved = await desk.call(ada, "update_spec", spec_id=spec["pid"], goal_id=goal["pid"])
    assert moved["goalId"] == goal["pid"]
    assert (await desk.call(ada, "update_spec", spec_id=spec["pid"], goal_id=""))["goalId"] is None


async def test_a_goal_of_another_project_is_not_found(desk, ada, spec):
    await desk.call(ada, "create_project", name="Other", key="OTH")
    goal = await desk.call(ada, "create_goal", project_id="OTH", title="Usable")
    with refused(NotFound):
        await desk.call(ada, "update_spec", spec_id=spec["pid"], goal_id=goal["pid"])
    with refused(NotFound):
        await desk.call(ada, "create_spec", project_id="PEN", title="x", goal_id=goal["pid"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", ""),
        ("title", "two\nlines"),
        ("results", ["x"] * (LIST_ITEMS + 1)),
        ("results", [""]),
        ("nonsense", 1),
    ],
)
async def test_a_bad_field_is_refused_by_name(desk, ada, project, field, value):
    with refused(BadField) as caught:
        await desk.call(ada, "create_spec", **{"project_id": "PEN", "title": "x", field: value})
    assert caught.refusal.details["field"].startswith(field)


async def test_specs_are_listed_with_their_build(desk, ada):
    work = await published_spec(desk, ada)
    await desk.call(ada, "create_spec", project_id=work.project_id, title="A draft")
    listed = (await desk.call(ada, "list_specs", project_id=work.project_id))["specs"]
    assert {item["title"]: item["build"] for item in listed} == {"Sign in": "B1", "A draft": None}


async def test_a_listed_spec_tells_how_much_of_its_active_plan_is_done(desk, ada):
    work = await drafted_spec(desk, ada, actions=3, criteria=0)
    other = await desk.call(ada, "create_plan", spec_id=work.spec_id, title="Not taken")
    await desk.call(ada, "create_action", plan_id=other["pid"], label="Not counted")
    await desk.call(ada, "update_action", action_id=work.actions[1]["pid"], state="wont_do", reason="Not needed")
    await desk.call(ada, "update_task", task_id=work.actions[0]["pid"], status="done")
    (listed,) = (await desk.call(ada, "list_specs", project_id=work.project_id))["specs"]
    assert (listed["actions"], listed["actionsDone"]) == (2, 1)


async def test_a_draft_says_whether_agents_read_something_else(desk, ada):
    work = await drafted_spec(desk, ada)

    async def is_ahead():
        return (await desk.call(ada, "get_spec_draft", spec_id=work.spec_id))["unpublished"]

    assert await is_ahead()
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    assert not await is_ahead()  # work on it is no edit
    for operation, fields in (
        ("update_spec", {"spec_id": work.spec_id, "summary": "Others"}),
        ("update_plan", {"plan_id": work.plan_id, "approach": "Another"}),
        ("update_criterion", {"criterion_id": work.actions[1]["criteria"][0], "text": "It holds twice"}),
        ("update_action", {"action_id": work.actions[1]["pid"], "paths": ["docs/**"]}),
    ):
        await desk.call(ada, operation, **fields)
        assert await is_ahead(), operation
        await desk.call(ada, "publish_build", spec_id=work.spec_id)
        assert not await is_ahead(), operation


async def test_a_participant_is_added_once(desk, ada, grace, spec):
    for _ in range(2):
        answer = await desk.call(ada, "add_participant", spec_id=spec["pid"], user_id=grace.user_id)
    assert {participant["name"] for participant in answer["participants"]} == {"Ada", "Grace"}
    assert len(await events_of(desk, ada, "participant.added")) == 1


async def test_only_a_member_of_the_workspace_takes_part(desk, ada, spec):
    stranger = await (await next_door(desk)).person("Eve")
    for user_id in (stranger.user_id, new_id(), "Ada"):
        with refused(NotFound):
            await desk.call(ada, "add_participant", spec_id=spec["pid"], user_id=user_id)


async def test_a_removed_participant_no_longer_sees_the_work(desk, ada, grace):
    work = await published_spec(desk, ada, participants=(grace,))
    answer = await desk.call(ada, "remove_participant", spec_id=work.spec_id, user_id=grace.user_id)
    assert [participant["name"] for participant in answer["participants"]] == ["Ada"]
    assert (await desk.call(grace, "list_available_specs"))["specs"] == []
    await desk.call(ada, "remove_participant", spec_id=work.spec_id, user_id=grace.user_id)
    assert len(await events_of(desk, ada, "participant.removed")) == 1


async def test_the_first_plan_is_active_and_another_may_be_activated(desk, ada, spec):
    first = await desk.call(ada, "create_plan", spec_id=spec["pid"], title="A")
    second = await desk.call(ada, "create_plan", spec_id=spec["pid"], title="B")
    assert (first["active"], second["active"]) == (True, False)
    assert (await desk.call(ada, "activate_plan", plan_id=second["pid"]))["active"]
    draft = await desk.call(ada, "get_spec_draft", spec_id=spec["pid"])
    assert {plan["title"]: plan["active"] for plan in draft["plans"]} == {"A": False, "B": True}
    await desk.call(ada, "activate_plan", plan_id=second["pid"])
    assert len(await events_of(desk, ada, "plan.activated")) == 2


async def test_a_plan_has_revisions_too(desk, ada, spec):
    plan = await desk.call(ada, "create_plan", spec_id=spec["pid"], title="A")
    edited = await desk.call(ada, "update_plan", plan_id=plan["pid"], approach="Slowly", expected_revision=1)
    assert (edited["title"], edited["approach"], edited["revision"]) == ("A", "Slowly", 2)
    with refused(RevisionConflict):
        await desk.call(ada, "update_plan", plan_id=plan["pid"], approach="Fast", expected_revision=1)


async def test_drafts_of_a_plan_are_bounded(desk, ada, spec):
    for number in range(PLAN_DRAFTS):
        await desk.call(ada, "create_plan", spec_id=spec["pid"], title=f"Plan {number}")
    with refused(RuleBroken, "too_many"):
        await desk.call(ada, "create_plan", spec_id=spec["pid"], title="One more")


async def test_what_lies_in_another_workspace_is_not_found(desk, ada):
    work = await drafted_spec(desk, ada)
    other = await next_door(desk)
    eve = await other.person("Eve")
    for name, field, ident in [
        ("get_spec_draft", "spec_id", work.spec_id),
        ("update_spec", "spec_id", work.spec_id),
        ("publish_build", "spec_id", work.spec_id),
        ("list_builds", "spec_id", work.spec_id),
        ("update_plan", "plan_id", work.plan_id),
        ("activate_plan", "plan_id", work.plan_id),
        ("get_action", "action_id", work.actions[0]["pid"]),
        ("get_action", "action_id", work.actions[0]["refCode"]),
        ("update_action", "action_id", work.actions[0]["pid"]),
        ("remove_criterion", "criterion_id", work.actions[0]["criteria"][0]),
        ("list_revisions", "object_id", work.spec_id),
    ]:
        with refused(NotFound):
            await other.call(eve, name, **{field: ident})


async def test_a_rule_that_cannot_be_checked_is_refused_where_a_spec_is_written(desk, ada, project, spec):
    bad, good = "No billing. {forbid: /src/billing}", "No billing. {forbid: src/billing/**}"
    with refused(BadField) as caught:
        await desk.call(ada, "create_spec", project_id="PEN", title="Bills", boundaries=["Fine", bad])
    assert caught.refusal.details["field"] == "boundaries[1]"
    assert "from the root of the repository" in caught.refusal.message
    with refused(BadField) as caught:
        await desk.call(ada, "update_spec", spec_id=spec["pid"], conditions=[bad])
    assert caught.refusal.details["field"] == "conditions[0]"
    with refused(BadField) as caught:
        await desk.call(ada, "draft_spec", spec_id=spec["pid"], boundaries=[bad])
    assert caught.refusal.details["field"] == "boundaries[0]"
    edited = await desk.call(ada, "update_spec", spec_id=spec["pid"], boundaries=[good])
    assert edited["boundaries"] == [good]
