"""create_plan: how a spec is to be done."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.domain.limits import PLAN_DRAFTS
from pendesk.domain.project import Plan, Spec, check_count_below_limit
from pendesk.ids import new_id
from pendesk.operations.fields import IdempotencyKey, Label, SpecId, Text
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.plans.activate_plan import activate_plan
from pendesk.operations.plans.results import PlanResult, plan_result
from pendesk.operations.revisions import edits, revision_content
from pendesk.operations.specs.find import find_and_lock_spec
from pendesk.store import plans


class CreatePlan(Input):
    spec_id: SpecId
    title: Label
    approach: Annotated[Text, Meta(description="How to do it, for whoever builds it; Markdown.")] = ""
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: CreatePlan) -> PlanResult:
    spec = find_and_lock_spec(call, args.spec_id)
    drafts = plans.of_spec(call.tx, spec.id)
    check_count_below_limit(len(drafts), PLAN_DRAFTS, "plans in this spec", "Edit one of them instead.")
    plan = add_plan(call, spec, args.title, args.approach)
    # The first plan is the active one: with a single draft nobody has to choose.
    return plan_result(plan, spec if drafts else activate_plan(call, plan, spec))


def add_plan(call: Call, spec: Spec, title: str, approach: str) -> Plan:
    plan = Plan(
        id=new_id(),
        spec_id=spec.id,
        title=title,
        approach=approach,
        revision=1,
        created_by=call.actor.user_id,
        created_at=call.now,
        updated_at=call.now,
    )
    plans.add(call.tx, plan)
    edits.save_first_revision(call, plan.id, revision_content.plan_content(plan))
    call.record(Event("plan.created", plan.id, spec.project_id, spec.id, data=TitledData(title=plan.title)))
    return plan


OPERATION = Operation(
    name="create_plan",
    title="Create a plan",
    description=(
        "Add a plan to a spec: the approach, in Markdown. The first plan of a spec becomes the active one; later ones "
        "are drafts until activate_plan. Next: create_action with its plan_id. Refused: 422 too many drafts."
    ),
    input=CreatePlan,
    output=PlanResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
