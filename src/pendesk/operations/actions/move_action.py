"""move_action: from one plan of a spec to another."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event, check_may_move_to_other_plan
from pendesk.domain.errors import BadField
from pendesk.domain.limits import PLAN_ACTIONS
from pendesk.domain.project import check_count_below_limit
from pendesk.operations.actions.find import find_action, find_and_lock_action
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.fields import ActionId, IdempotencyKey, PlanId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.plans.find import find_plan
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.store import actions, criteria


class MoveAction(Input):
    action_id: ActionId
    plan_id: Annotated[PlanId, Meta(description="The plan it goes to; of the same spec.")]
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: MoveAction) -> PlannedAction:
    # Locked as create_action does: a plan is filled by one at a time.
    find_and_lock_project(call, find_action(call, args.action_id).action.project_id)
    facts = find_and_lock_action(call, args.action_id)
    action, plan = facts.action, find_plan(call, args.plan_id)
    if plan.spec_id != action.spec_id:
        raise BadField("plan_id", f"is a plan of another spec; name one of the spec that {facts.ref} belongs to.")
    if plan.id != action.plan_id:
        check_may_move_to_other_plan(facts.ref, action.state)
        present = actions.count_in_plan(call.tx, plan.id)
        check_count_below_limit(present, PLAN_ACTIONS, "actions in this plan", "Split the work into another spec.")
        actions.set_plan(call.tx, action.id, plan.id)
        event_data = {"plan": {"before": action.plan_id, "after": plan.id}}
        call.record(action_event(action, "action.edited", event_data))
        action = action._replace(plan_id=plan.id, updated_at=call.now)
    return to_planned_action(call, action, facts.project_key, criteria.of_action(call.tx, action.id))


OPERATION = Operation(
    name="move_action",
    title="Move an action to another plan",
    description=(
        "Move an action to another plan of its spec. What is published stays as it is until the next publish_build. "
        "Refused: 404 no such action or plan, 422 the plan is another spec's or full, or an agent has the "
        "action."
    ),
    input=MoveAction,
    output=PlannedAction,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
