"""Plans, as operations answer with them."""

from pendesk.clock import to_iso
from pendesk.domain.project import Plan, Spec
from pendesk.operations.operation import Output


class PlanResult(Output):
    pid: str
    spec_id: str
    title: str
    approach: str
    active: bool
    revision: int
    created_at: str
    updated_at: str


def plan_result(plan: Plan, spec: Spec) -> PlanResult:
    return PlanResult(
        pid=plan.id,
        spec_id=plan.spec_id,
        title=plan.title,
        approach=plan.approach,
        active=spec.active_plan_id == plan.id,
        revision=plan.revision,
        created_at=to_iso(plan.created_at),
        updated_at=to_iso(plan.updated_at),
    )
