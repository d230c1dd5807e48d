"""order_criteria: in which order the criteria of an action stand."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.limits import ACTION_CRITERIA
from pendesk.domain.project import check_is_permutation
from pendesk.operations.actions.find import find_and_lock_action
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.actions.revised_action import edit_action
from pendesk.operations.fields import ActionId, ExpectedRevision, IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.session_news import record_edit
from pendesk.store import criteria


class OrderCriteria(Input):
    action_id: ActionId
    criterion_ids: Annotated[
        list[Ident], Meta(max_length=ACTION_CRITERIA, description="All criteria of the action, in the wanted order.")
    ]
    expected_revision: ExpectedRevision | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: OrderCriteria) -> PlannedAction:
    facts = find_and_lock_action(call, args.action_id)
    action = facts.action
    present = {criterion.id: criterion for criterion in criteria.of_action(call.tx, action.id)}
    criterion_ids = [ident.lower() for ident in args.criterion_ids]
    check_is_permutation("criterion_ids", list(present), criterion_ids, f"criteria of {facts.ref}")
    ordered = [present[pid]._replace(position=position) for position, pid in enumerate(criterion_ids, 1)]
    edited, edit = edit_action(call, action, list(present.values()), ordered, {}, args.expected_revision)
    if edit.changed:
        for criterion in ordered:
            criteria.save_text_and_position(call.tx, criterion)
        record_edit(call, facts, action_event(action, "action.edited", edit.event_data))
    return to_planned_action(call, edited, facts.project_key, ordered)


OPERATION = Operation(
    name="order_criteria",
    title="Order the criteria of an action",
    description=(
        "Put the acceptance criteria of an action in another order; name each of them once. The answer is the whole "
        "action. Refused: 404 no such action, 422 one is missing, unknown or named twice, 409 someone changed the "
        "action since expected_revision."
    ),
    input=OrderCriteria,
    output=PlannedAction,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
