"""convert_criterion: what was a criterion is work of its own, the next action of the plan."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action
from pendesk.domain.criterion import split_into_label_and_description
from pendesk.operations.actions import create_action, remove_criterion
from pendesk.operations.actions.create_action import CreateAction
from pendesk.operations.actions.find import find_and_lock_criterion, find_criterion_action
from pendesk.operations.actions.remove_criterion import RemoveCriterion
from pendesk.operations.actions.results import PlannedAction
from pendesk.operations.fields import ExpectedRevision, IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.plans import order_actions
from pendesk.operations.plans.find import find_and_lock_plan
from pendesk.operations.plans.order_actions import OrderActions
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.store import actions


class ConvertCriterion(Input):
    criterion_id: Annotated[Ident, Meta(description="The criterion's id, from get_action.")]
    expected_revision: Annotated[ExpectedRevision, Meta(description="The action's revision you edited.")] | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: ConvertCriterion) -> PlannedAction:
    parent = find_criterion_action(call, args.criterion_id)
    find_and_lock_project(call, parent.project_id)
    if parent.plan_id is not None:
        find_and_lock_plan(call, parent.plan_id)
    facts, criterion = find_and_lock_criterion(call, args.criterion_id)
    parent = facts.action
    remove_criterion.run(call, RemoveCriterion(criterion_id=criterion.id, expected_revision=args.expected_revision))
    label, description = split_into_label_and_description(criterion.text)
    args_of_action = CreateAction(
        label=label, description=description, project_id=parent.project_id, plan_id=parent.plan_id
    )
    created = create_action.run(call, args_of_action)
    if parent.plan_id is not None:
        _order_after(call, parent, parent.plan_id, created.pid)
    return created


def _order_after(call: Call, parent: Action, plan_id: str, created_id: str) -> None:
    order = [action.id for action in actions.of_plan(call.tx, plan_id) if action.id != created_id]
    order.insert(order.index(parent.id) + 1, created_id)
    order_actions.run(call, OrderActions(plan_id=plan_id, action_ids=order))


OPERATION = Operation(
    name="convert_criterion",
    title="Make a criterion an action",
    description=(
        "Take a criterion off its action and create an action of its text: the next one of the plan. What was shown "
        "for the criterion stays in the log. The answer is the new action. Refused: 404 no such criterion, 409 someone "
        "changed its action since expected_revision, 422 the plan is full."
    ),
    input=ConvertCriterion,
    output=PlannedAction,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
