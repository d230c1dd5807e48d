"""Plans by what a caller names them with. What cannot be seen is the same as what is not there."""

from pendesk.domain.errors import NotFound
from pendesk.domain.project import Plan, Spec
from pendesk.ids import parse_id
from pendesk.operations.operation import Call
from pendesk.operations.specs.find import find_and_lock_spec
from pendesk.store import plans


def find_plan(call: Call, plan_id: str) -> Plan:
    pid = parse_id(plan_id)
    plan = plans.by_id(call.tx, pid) if pid else None
    if plan is None:
        raise NotFound("plan", plan_id)
    return plan


def find_and_lock_plan(call: Call, plan_id: str) -> tuple[Plan, Spec]:
    """A plan is locked by its spec."""
    spec = find_and_lock_spec(call, find_plan(call, plan_id).spec_id)
    return find_plan(call, plan_id), spec
