"""Actions outside any spec, as an import leaves them by the hundred: listed by priority, counted, never missed."""

from functools import partial
from typing import Any

import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.domain.limits import OTHER_ACTIONS_LISTED, OTHER_ACTIONS_LOOKED_AT

MANY = OTHER_ACTIONS_LOOKED_AT + 40


@pytest.fixture
async def ben(desk):
    return (await desk.person("Ben", scopes=BUILDING_SCOPES))._replace(via="mcp")


@pytest.fixture
async def refs(desk, ada) -> list[str]:
    """Of a project with many actions in To do; the last is urgent."""
    tasks = [{"key": f"t{number}", "label": f"Imported {number}"} for number in range(MANY)]
    await desk.call(ada, "scaffold_project_from_plan", name="Imported", tasks=tasks)
    await desk.call(ada, "update_action", action_id=f"IMP-{MANY}", priority=4)
    return [f"IMP-{number}" for number in range(1, MANY + 1)]


def _take(tx: Any, refs: list[str], user_id: str) -> None:
    """As if others worked on all of them."""
    for ref in refs:
        number = int(ref.split("-")[1])
        row = tx.one(
            "SELECT id, project_id FROM actions WHERE workspace_id = :workspace AND ref_number = :number",
            number=number,
        )
        tx.run(
            "INSERT INTO claims (workspace_id, id, action_id, user_id, fence, state, taken_at, renewed_at, expires_at, "
            "told_event_id) VALUES (:workspace, :id, :id, :user_id, 1, 'active', :now, :now, :later, 0)",
            id=row[0],
            user_id=user_id,
            now=tx.now,
            later=tx.now + 10**9,
        )
        tx.run(
            "UPDATE actions SET state = 'in_progress', claim_id = id, fence = 1 "
            "WHERE workspace_id = :workspace AND id = :id",
            id=row[0],
        )


async def test_the_most_urgent_come_first_and_the_rest_is_counted(desk, ben, refs):
    answer = await desk.call(ben, "list_available_specs")
    listed = answer["otherActions"][0]
    assert len(listed["actions"]) == OTHER_ACTIONS_LISTED
    assert [row["refCode"] for row in listed["actions"][:2]] == [refs[-1], refs[0]]
    assert listed["more"] == MANY - OTHER_ACTIONS_LISTED
    assert f"{MANY - OTHER_ACTIONS_LISTED} more actions outside any spec are free" in answer["notice"]


async def test_what_others_hold_hides_nothing_that_is_free(desk, ada, ben, refs):
    await desk.store.write(desk.workspace, partial(_take, refs=refs[: MANY - 1], user_id=ada.user_id))
    answer = await desk.call(ben, "list_available_specs")
    assert [row["refCode"] for part in answer["otherActions"] for row in part["actions"]] == [refs[-1]]
    assert "notice" not in answer
    assert (await desk.call(ben, "get_context"))["next"]["refCode"] == refs[-1]


async def test_context_counts_them_and_names_their_project(desk, ben, refs):
    context = await desk.call(ben, "get_context")
    assert context["next"]["refCode"] == refs[-1]
    assert [project["key"] for project in context["projects"]] == ["IMP"]
    assert context["free"] == {"inSpecs": 0, "outsideSpecs": MANY}
    elsewhere = await desk.call(ben, "get_context", project_id="IMP")
    assert elsewhere["free"] == {"inSpecs": 0, "outsideSpecs": MANY}
