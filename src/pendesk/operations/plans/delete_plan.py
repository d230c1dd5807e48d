"""delete_plan: a draft with its actions."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.deletion import check_plan_unused
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.operations.deleted import Deleted
from pendesk.operations.fields import PlanId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.plans.find import find_and_lock_plan, find_plan
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.specs.find import find_spec
from pendesk.store import purge


class DeletePlan(Input):
    plan_id: PlanId


def run(call: Call, args: DeletePlan) -> Deleted:
    find_and_lock_project(call, find_spec(call, find_plan(call, args.plan_id).spec_id).project_id)
    plan, spec = find_and_lock_plan(call, args.plan_id)
    used = purge.run_count_query(call.tx, purge.BUILDS_OF_PLAN, plan.id) + purge.run_count_query(
        call.tx, purge.USED_OF_PLAN, plan.id
    )
    check_plan_unused(plan.title, is_active=spec.active_plan_id == plan.id, build_count=used)
    purge.delete_plan(call.tx, plan.id)
    call.record(Event("plan.deleted", plan.id, spec.project_id, spec.id, data=TitledData(title=plan.title)))
    return Deleted(pid=plan.id)


OPERATION = Operation(
    name="delete_plan",
    title="Delete a plan",
    description=(
        "Delete a draft of a plan with its actions. For people: no token can do this. Refused: 404 no such plan, 422 "
        "it is the active one, or was published."
    ),
    input=DeletePlan,
    output=Deleted,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.LONG_WRITE,
    run=run,
)
