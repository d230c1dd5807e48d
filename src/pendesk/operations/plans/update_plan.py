"""update_plan: the title and approach of a plan."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.operations.fields import ExpectedRevision, IdempotencyKey, Label, PlanId, Text
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.plans.find import find_and_lock_plan
from pendesk.operations.plans.results import PlanResult, plan_result
from pendesk.operations.revisions import edits, revision_content
from pendesk.store import plans


class UpdatePlan(Input):
    plan_id: PlanId
    title: Label | None = None
    approach: Annotated[Text, Meta(description="The whole new text; Markdown.")] | None = None
    expected_revision: ExpectedRevision | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: UpdatePlan) -> PlanResult:
    plan, spec = find_and_lock_plan(call, args.plan_id)
    changes = {"title": args.title, "approach": args.approach}
    edit = edits.apply_edit_and_add_revision(
        call, plan.id, plan.revision, revision_content.plan_content(plan), changes, args.expected_revision
    )
    if edit.changed:
        plan = plan._replace(**edit.content, revision=edit.revision, updated_at=call.now)
        plans.update(call.tx, plan)
        call.record(Event("plan.edited", plan.id, spec.project_id, spec.id, data=edit.event_data))
    return plan_result(plan, spec)


OPERATION = Operation(
    name="update_plan",
    title="Edit a plan",
    description=(
        "Change a plan's title or approach; leave out what stays. Agents see it after the next publish_build. "
        "Refused: 404 no such plan, 409 someone changed it since expected_revision (the answer has their text)."
    ),
    input=UpdatePlan,
    output=PlanResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
