"""update_goal: its title, description and place."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.operations.fields import ExpectedRevision, IdempotencyKey, Ident, Label, Position, Text
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_goal
from pendesk.operations.projects.results import GoalResult, goal_result
from pendesk.operations.revisions import edits, revision_content
from pendesk.store import projects


class UpdateGoal(Input):
    goal_id: Annotated[Ident, Meta(description="The goal's pid, from get_project.")]
    title: Label | None = None
    description: Text | None = None
    position: Annotated[Position, Meta(description="Goals are listed by position.")] | None = None
    expected_revision: ExpectedRevision | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: UpdateGoal) -> GoalResult:
    goal = find_and_lock_goal(call, args.goal_id)
    changes = {"title": args.title, "description": args.description, "position": args.position}
    edit = edits.apply_edit_and_add_revision(
        call, goal.id, goal.revision, revision_content.goal_content(goal), changes, args.expected_revision
    )
    if edit.changed:
        goal = goal._replace(**edit.content, revision=edit.revision, updated_at=call.now)
        projects.update_goal(call.tx, goal)
        call.record(Event("goal.edited", goal.id, goal.project_id, data=edit.event_data))
    return goal_result(goal)


OPERATION = Operation(
    name="update_goal",
    title="Edit a goal",
    description=(
        "Change a goal's title, description or position; leave out what stays. Refused: 404 no such goal, 409 someone "
        "changed it since expected_revision (the answer has their text)."
    ),
    input=UpdateGoal,
    output=GoalResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
