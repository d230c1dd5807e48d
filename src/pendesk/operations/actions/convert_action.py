"""convert_action: what was an action is a criterion of another one."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action
from pendesk.domain.deletion import check_action_is_title_alone
from pendesk.domain.errors import BadField
from pendesk.operations.actions import create_criterion, delete_action
from pendesk.operations.actions.action_fields import labels_of
from pendesk.operations.actions.create_criterion import CreateCriterion
from pendesk.operations.actions.delete_action import DeleteAction
from pendesk.operations.actions.find import find_action, find_and_lock_action
from pendesk.operations.fields import ActionId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.store import criteria, edges
from pendesk.store.engine.json_text import from_json


class ConvertAction(Input):
    action_id: ActionId
    to_action_id: Annotated[ActionId, Meta(description="The action that gets the criterion; pid or ref code.")]


class ActionConverted(Output):
    """pid: of the new criterion; action_id, ref_code and revision: of its action."""

    pid: str
    action_id: str
    ref_code: str
    revision: int


def run(call: Call, args: ConvertAction) -> ActionConverted:
    find_and_lock_project(call, find_action(call, args.action_id).action.project_id)
    facts = find_and_lock_action(call, args.action_id)
    target = find_action(call, args.to_action_id).action
    if target.id == facts.action.id or target.project_id != facts.action.project_id:
        raise BadField("to_action_id", "name another action of the same project.")
    check_action_is_title_alone(facts.ref, _what_a_criterion_cannot_hold(call, facts.action))
    delete_action.run(call, DeleteAction(action_id=facts.action.id))
    after = create_criterion.run(call, CreateCriterion(action_id=target.id, text=facts.action.label))
    return ActionConverted(
        pid=after.criteria[-1].id, action_id=after.pid, ref_code=after.ref_code, revision=after.revision
    )


def _what_a_criterion_cannot_hold(call: Call, action: Action) -> list[str]:
    held = {
        "a description": action.description,
        "criteria": criteria.of_action(call.tx, action.id),
        "dependencies": edges.count_from_or_to_action(call.tx, action.id),
        "paths": from_json(action.paths),
        "an area": action.area,
        "a priority": action.priority,
        "an assignee": action.assignee_user_id or action.assignee_agent_id,
        "a due date": action.due_on,
        "labels": labels_of(action.labels),
    }
    return [name for name, value in held.items() if value]


OPERATION = Operation(
    name="convert_action",
    title="Make an action a criterion",
    description=(
        "Delete an action that is no more than a title and give that title to another action of the project, as its "
        "last criterion. For people: no token can do this. Refused: 404 no such action, 422 it has more than a title, "
        "was claimed or published, or the other action is done or dropped, full or of another project."
    ),
    input=ConvertAction,
    output=ActionConverted,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
