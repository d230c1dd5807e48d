"""The plan that a spec's new actions go to."""

from pendesk.domain.project import Plan
from pendesk.operations.operation import Call
from pendesk.operations.plans.activate_plan import activate_plan
from pendesk.operations.plans.create_plan import add_plan
from pendesk.operations.plans.find import find_plan
from pendesk.operations.specs.find import find_and_lock_spec

FIRST_PLAN_TITLE = "Plan A"


def find_or_create_active_plan(call: Call, spec_id: str) -> Plan:
    """A spec without any gets its first, so that an action can go to every spec."""
    spec = find_and_lock_spec(call, spec_id)
    if spec.active_plan_id is not None:
        return find_plan(call, spec.active_plan_id)
    plan = add_plan(call, spec, FIRST_PLAN_TITLE, "")
    activate_plan(call, plan, spec)
    return plan
