"""delete_goal: a goal that no spec belongs to."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.deletion import check_goal_has_no_specs
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.operations.deleted import Deleted
from pendesk.operations.fields import GoalId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_goal
from pendesk.store import purge


class DeleteGoal(Input):
    goal_id: GoalId


def run(call: Call, args: DeleteGoal) -> Deleted:
    goal = find_and_lock_goal(call, args.goal_id)
    check_goal_has_no_specs(goal.title, purge.run_count_query(call.tx, purge.SPECS_OF_GOAL, goal.id))
    purge.delete_row_and_revisions(call.tx, "goals", goal.id)
    call.record(Event("goal.deleted", goal.id, goal.project_id, data=TitledData(title=goal.title)))
    return Deleted(pid=goal.id)


OPERATION = Operation(
    name="delete_goal",
    title="Delete a goal",
    description=(
        "Delete a goal. For people: no token can do this. Refused: 404 no such goal, 422 specs belong to it (give them "
        "another goal first)."
    ),
    input=DeleteGoal,
    output=Deleted,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
