"""delete_action: an action or task that nobody has worked on."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.deletion import check_action_unused
from pendesk.domain.event_data import ActionDeletedData
from pendesk.operations.actions.find import find_action, find_and_lock_action
from pendesk.operations.deleted import Deleted
from pendesk.operations.fields import ActionId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.specs.find import find_and_lock_spec
from pendesk.store import purge


class DeleteAction(Input):
    action_id: ActionId


def run(call: Call, args: DeleteAction) -> Deleted:
    # The project is the lock of edges and ref numbers, the spec that of builds, the action that of claims.
    action = find_action(call, args.action_id).action
    find_and_lock_project(call, action.project_id)
    if action.spec_id is not None:
        find_and_lock_spec(call, action.spec_id)
    facts = find_and_lock_action(call, action.id)
    action = facts.action
    check_action_unused(facts.ref, action.fence, purge.run_count_query(call.tx, purge.BUILDS_OF_ACTION, action.id))
    purge.delete_action(call.tx, action.id)
    event_data = ActionDeletedData(ref=facts.ref, label=action.label, state=action.state)
    call.record(action_event(action, "action.deleted", event_data))
    return Deleted(pid=action.id)


OPERATION = Operation(
    name="delete_action",
    title="Delete an action",
    description=(
        "Delete an action or task with its criteria and edges. For people: no token can do this. Refused: 404 no such "
        "action, 422 it was claimed or published (set it to wont_do instead)."
    ),
    input=DeleteAction,
    output=Deleted,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
