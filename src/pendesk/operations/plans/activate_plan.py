"""activate_plan: choose which plan of a spec the next build is made from."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.project import Plan, Spec
from pendesk.operations.fields import IdempotencyKey, PlanId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.plans.find import find_and_lock_plan
from pendesk.operations.plans.results import PlanResult, plan_result
from pendesk.store import specs


class ActivatePlan(Input):
    plan_id: PlanId
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: ActivatePlan) -> PlanResult:
    plan, spec = find_and_lock_plan(call, args.plan_id)
    if spec.active_plan_id != plan.id:
        spec = activate_plan(call, plan, spec)
    return plan_result(plan, spec)


def activate_plan(call: Call, plan: Plan, spec: Spec) -> Spec:
    specs.set_active_plan(call.tx, spec.id, plan.id)
    event_data: dict[str, object] = {"before": spec.active_plan_id, "after": plan.id}
    call.record(Event("plan.activated", plan.id, spec.project_id, spec.id, data=event_data))
    return spec._replace(active_plan_id=plan.id)


OPERATION = Operation(
    name="activate_plan",
    title="Activate a plan",
    description=(
        "Make this plan the one that the next publish_build freezes. What is published already stays as it is, and "
        "claims on it continue until you publish again. Refused: 404 no such plan."
    ),
    input=ActivatePlan,
    output=PlanResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
