"""A person accepts a deviation, agrees to it for good, or makes a request of it; until then nothing is approved."""

import asyncio

import pytest

from pendesk.domain.access import BUILDING_SCOPES, Role
from pendesk.domain.errors import BadField, Conflict, MissingScope, NotFound, RoleForbids, RuleBroken
from pendesk.ids import new_id
from tests.diffs import HEAD, NEXT_HEAD, created, modified, packed, push
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import drafted_spec, next_door

FORBID = "No billing. {forbid: src/billing/**}"
NO_DEPENDENCIES = "Nothing new. {no-dependencies}"
RUN = "Lint. {run: make lint}"
REQUIREMENTS = created("src/requirements.txt", "left-pad==1")


@pytest.fixture
async def submitted(desk):
    """A submission that departs in three ways which an edit makes good, and in one that none does."""
    author, ada = await desk.person("Author"), await desk.person("Ada", scopes=BUILDING_SCOPES)
    work = await drafted_spec(desk, author, actions=1, criteria=1)
    action = work.actions[0]
    await desk.call(
        author, "update_spec", spec_id=work.spec_id, conditions=["Quick", RUN], boundaries=[FORBID, NO_DEPENDENCIES]
    )
    await desk.call(author, "update_action", action_id=action["pid"], paths=["src/**"])
    await desk.call(author, "add_participant", spec_id=work.spec_id, user_id=ada.user_id)
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    await push(desk, ada, action["pid"], packed(modified("src/billing/pay.py"), modified("docs/x.md"), REQUIREMENTS))
    await submit(desk, ada, action)
    return author, ada, work, action


async def submit(desk, actor, action, head=HEAD, tool="submit_for_review", **fields):
    evidence = [{"criterionId": ident, "evidence": "Shown."} for ident in action["criteria"]]
    code = {"branch": "feature", "head_sha": head, "summary": "Done.", "evidence": evidence, **fields}
    return await desk.call(actor, tool, action_pid=action["pid"], **code)


async def rows(desk, person, action):
    return (await desk.call(person, "get_review", action_id=action["pid"])).get("deviations", [])


async def ids(desk, person, action, *kinds):
    return [row["id"] for row in await rows(desk, person, action) if not kinds or row["kind"] in kinds]


async def accept(desk, person, action, deviation_ids, **fields):
    return await desk.call(person, "accept_deviations", action_id=action["pid"], deviation_ids=deviation_ids, **fields)


async def approve(desk, person, action):
    verdicts = [{"criterionId": ident, "verdict": "confirmed"} for ident in action["criteria"]]
    return await desk.call(
        person, "review_action", action_pid=action["pid"], verdict="approved", summary="Good.", verdicts=verdicts
    )


async def request_changes(desk, person, action, **fields):
    return await desk.call(
        person, "review_action", action_pid=action["pid"], verdict="changes_requested", summary="Again.", **fields
    )


async def test_what_is_open_is_not_approved_and_named(desk, submitted):
    author, _, _, action = submitted
    with refused(RuleBroken, "deviations_open") as caught:
        await approve(desk, author, action)
    assert "src/billing/pay.py" in caught.refusal.message
    assert "left-pad in src/requirements.txt" in caught.refusal.message
    assert len(caught.refusal.details["deviations"]) == 4
    answer = await accept(desk, author, action, await ids(desk, author, action))
    assert {(row["state"], row["decidedBy"]) for row in answer["deviations"]} == {("accepted", "Author")}
    assert all("decidedAt" in row for row in answer["deviations"])
    assert "advisory" not in answer
    await approve(desk, author, action)
    (event,) = await events_of(desk, author, "deviations.accepted")
    assert (event["data"]["number"], len(event["data"]["ids"])) == (1, 4)
    timeline = await desk.call(author, "get_timeline", action_pid=action["pid"])
    assert any("accepted deviations of PEN-1: files that may not change" in row["deed"] for row in timeline["events"])


async def test_what_goes_into_the_spec_edits_what_was_agreed(desk, submitted):
    author, ada, work, action = submitted
    chosen = await ids(desk, author, action, "forbidden_path", "dependency_added", "outside_paths")
    answer = await accept(desk, author, action, chosen, into_spec=True)
    assert "Publish" in answer["advisory"]
    spec = await desk.call(author, "get_spec_draft", spec_id=work.spec_id)
    assert spec["boundaries"] == [
        "No billing. {forbid: src/billing/**, !src/billing/pay.py}",
        "Nothing new. {no-dependencies: !left-pad}",
    ]
    assert spec["conditions"] == ["Quick", RUN]
    edited = await desk.call(author, "get_action", action_id=action["pid"])
    assert edited["paths"] == ["src/**", "docs/x.md"]
    assert len(await events_of(desk, author, "spec.edited")) == 2, "one edit for all of it"
    await desk.call(author, "publish_build", spec_id=work.spec_id)
    again = await submit(desk, ada, action, tool="resubmit_for_review")
    assert [entry["kind"] for entry in again["deviations"]] == ["command_not_reported"]


async def test_a_command_cannot_go_into_the_spec(desk, submitted):
    author, _, work, action = submitted
    with refused(BadField) as caught:
        await accept(desk, author, action, await ids(desk, author, action), into_spec=True)
    assert "a required command was not reported" in caught.refusal.message
    spec = await desk.call(author, "get_spec_draft", spec_id=work.spec_id)
    assert spec["boundaries"] == [FORBID, NO_DEPENDENCIES]
    assert {row["state"] for row in await rows(desk, author, action)} == {"open"}


async def test_a_rule_that_was_edited_meanwhile_is_not_edited_blindly(desk, submitted):
    author, _, work, action = submitted
    chosen = await ids(desk, author, action, "forbidden_path")
    await desk.call(author, "update_spec", spec_id=work.spec_id, boundaries=["Other words. {forbid: src/billing/**}"])
    (row,) = [row for row in await rows(desk, author, action) if row["id"] in chosen]
    assert row["canGoIntoSpec"] is False
    with refused(RuleBroken, "rule_changed"):
        await accept(desk, author, action, chosen, into_spec=True)
    assert (await accept(desk, author, action, chosen))["deviations"][0]["state"] == "accepted"


async def test_what_was_accepted_stays_accepted_with_the_same_subjects_or_fewer(desk, submitted):
    author, ada, _, action = submitted
    await accept(desk, author, action, await ids(desk, author, action))
    await request_changes(desk, author, action)
    await push(desk, ada, action["pid"], packed(modified("src/billing/pay.py"), modified("docs/y.md"), head=NEXT_HEAD))
    passed = [{"command": "make lint", "outcome": "passed"}]
    answer = await submit(desk, ada, action, NEXT_HEAD, "resubmit_for_review", commands=passed)
    assert [(entry["kind"], entry["subjects"]) for entry in answer["deviations"]] == [("outside_paths", ["docs/y.md"])]
    states = {row["kind"]: row["state"] for row in await rows(desk, author, action)}
    assert states == {"forbidden_path": "accepted", "outside_paths": "open"}


async def test_a_request_decides_a_deviation_and_the_next_submission_opens_it_again(desk, submitted):
    author, ada, _, action = submitted
    (chosen,) = await ids(desk, author, action, "outside_paths")
    item = {"text": "Leave the docs alone.", "deviationId": chosen}
    await request_changes(desk, author, action, items=[item])
    states = {row["kind"]: row["state"] for row in await rows(desk, author, action)}
    assert (states["outside_paths"], states["forbidden_path"]) == ("requested", "open")
    with refused(RuleBroken, "already_reviewed"):
        await accept(desk, author, action, [chosen])
    await submit(desk, ada, action, tool="resubmit_for_review")
    assert {row["state"] for row in await rows(desk, author, action)} == {"open"}


async def test_a_request_of_a_deviation_that_is_not_there_is_refused(desk, submitted):
    author, _, _, action = submitted
    with refused(Conflict, "deviations_moved"):
        await request_changes(desk, author, action, items=[{"text": "No.", "deviationId": new_id()}])
    remark = {"text": "Hm.", "kind": "remark", "deviationId": (await ids(desk, author, action))[0]}
    await request_changes(desk, author, action, items=[remark])
    assert {row["state"] for row in await rows(desk, author, action)} == {"open"}, "a remark decides nothing"


async def test_what_was_pushed_again_is_looked_at_again(desk, submitted):
    author, ada, _, action = submitted
    seen = await ids(desk, author, action, "outside_paths")
    await push(desk, ada, action["pid"], packed(modified("docs/x.md"), modified("docs/secret.md")))
    with refused(Conflict, "deviations_moved"):
        await accept(desk, author, action, seen)


async def test_a_push_and_an_acceptance_at_once_never_accept_what_was_not_seen(desk, submitted):
    author, ada, _, action = submitted
    seen = await ids(desk, author, action, "outside_paths")
    await asyncio.gather(
        accept(desk, author, action, seen),
        push(desk, ada, action["pid"], packed(modified("docs/x.md"), modified("docs/secret.md"))),
        return_exceptions=True,
    )
    (row,) = [row for row in await rows(desk, author, action) if row["kind"] == "outside_paths"]
    assert (row["subjects"], row["state"]) == (["docs/x.md", "docs/secret.md"], "open")


async def test_two_acceptances_at_once_edit_the_spec_once(desk, submitted):
    author, _, work, action = submitted
    chosen = await ids(desk, author, action, "forbidden_path")
    await asyncio.gather(
        *(accept(desk, author, action, chosen, into_spec=True) for _ in range(3)), return_exceptions=True
    )
    spec = await desk.call(author, "get_spec_draft", spec_id=work.spec_id)
    assert spec["boundaries"][0] == "No billing. {forbid: src/billing/**, !src/billing/pay.py}"
    assert len(await events_of(desk, author, "deviations.accepted")) == 1


async def test_only_people_who_are_members_accept(desk, submitted):
    author, ada, _, action = submitted
    chosen = await ids(desk, author, action)
    with refused(MissingScope):
        await accept(desk, ada, action, chosen)
    viewer = await desk.person("Vera", role=Role.VIEWER)
    with refused(RoleForbids):
        await accept(desk, viewer, action, chosen)
    other = await next_door(desk)
    with refused(NotFound):
        await accept(other, await other.person("Stranger"), action, chosen)


async def test_too_many_paths_for_an_action_are_not_offered_to_it(desk, submitted):
    author, ada, _, action = submitted
    await push(desk, ada, action["pid"], packed(*(modified(f"docs/{number}.md") for number in range(60))))
    (row,) = [row for row in await rows(desk, author, action) if row["kind"] == "outside_paths"]
    assert row["canGoIntoSpec"] is False
    with refused(RuleBroken, "too_many_paths"):
        await accept(desk, author, action, [row["id"]], into_spec=True)


async def counts(desk, person, work):
    """Of open deviations: as the card, the list and the inbox say."""
    board = await desk.call(person, "get_board", project_id=work.project_id)
    listed = await desk.call(person, "list_cards", project_id=work.project_id)
    cards = [card for column in board["columns"] for card in column["cards"]] + listed["cards"]
    items = (await desk.call(person, "get_inbox"))["items"]
    return [row.get("deviations", 0) for row in [*cards, *items]]


async def test_cards_and_inbox_count_what_is_open_of_the_newest_submission(desk, submitted):
    author, ada, work, action = submitted
    assert await counts(desk, author, work) == [4, 4, 4]
    await accept(desk, author, action, await ids(desk, author, action, "outside_paths"))
    assert await counts(desk, author, work) == [3, 3, 3]
    await request_changes(desk, author, action)
    assert set(await counts(desk, author, work)) == {0}, "nobody reviews it now"
    await push(desk, ada, action["pid"], packed(modified("src/billing/pay.py"), head=NEXT_HEAD))
    lint = {"command": "make lint", "outcome": "passed", "evidence": "exit 0"}
    await submit(desk, ada, action, NEXT_HEAD, "resubmit_for_review", commands=[lint], dispositions=[])
    assert await counts(desk, author, work) == [1, 1, 1]
