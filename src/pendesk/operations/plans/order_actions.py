"""order_actions: in which order the actions of a plan stand."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.limits import PLAN_ACTIONS
from pendesk.domain.project import check_is_permutation
from pendesk.operations.fields import IdempotencyKey, Ident, PlanId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.plans.find import find_and_lock_plan, find_plan
from pendesk.operations.specs.find import find_spec
from pendesk.store import actions, projects


class OrderActions(Input):
    plan_id: PlanId
    action_ids: Annotated[
        list[Ident],
        Meta(max_length=PLAN_ACTIONS, description="Pids or ref codes of all its actions, in the wanted order."),
    ]
    idempotency_key: IdempotencyKey | None = None


class ActionsOrdered(Output):
    pid: str
    action_ids: list[str]


def run(call: Call, args: OrderActions) -> ActionsOrdered:
    # New actions come while the project is locked: none can slip in between.
    projects.lock(call.tx, find_spec(call, find_plan(call, args.plan_id).spec_id).project_id)
    plan, spec = find_and_lock_plan(call, args.plan_id)
    present = [action.id for action in actions.of_plan(call.tx, plan.id)]
    new_order = [actions.resolve_id(call.tx, ident) or ident for ident in args.action_ids]
    check_is_permutation("action_ids", present, new_order, "actions of the plan")
    if new_order != present:
        for position, pid in enumerate(new_order, 1):
            actions.set_position(call.tx, pid, position)
        call.record(
            Event("plan.ordered", plan.id, spec.project_id, spec.id, data={"before": present, "after": new_order})
        )
    return ActionsOrdered(pid=plan.id, action_ids=new_order)


OPERATION = Operation(
    name="order_actions",
    title="Order the actions of a plan",
    description=(
        "Put the actions of a plan in another order; name each of them once. The order is how they are read, not what "
        "must be done first (create_edge says that). Agents see it after the next publish_build. Refused: 404 no such "
        "plan, 422 one is missing, unknown or named twice."
    ),
    input=OrderActions,
    output=ActionsOrdered,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
