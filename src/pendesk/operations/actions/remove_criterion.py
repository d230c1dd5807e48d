"""remove_criterion: it need not hold any more."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.event_data import CriterionRemovedData
from pendesk.operations.actions.find import find_and_lock_criterion
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.actions.revised_action import edit_action
from pendesk.operations.fields import ExpectedRevision, IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.session_news import record_edit
from pendesk.store import criteria


class RemoveCriterion(Input):
    criterion_id: Annotated[Ident, Meta(description="The criterion's id, from get_action.")]
    expected_revision: Annotated[ExpectedRevision, Meta(description="The action's revision you edited.")] | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: RemoveCriterion) -> PlannedAction:
    facts, criterion = find_and_lock_criterion(call, args.criterion_id)
    action = facts.action
    before = criteria.of_action(call.tx, action.id)
    after = [other for other in before if other.id != criterion.id]
    edited, _ = edit_action(call, action, before, after, {}, args.expected_revision)
    criteria.remove(call.tx, criterion.id)
    event_data = CriterionRemovedData(text=criterion.text, status=criterion.status, revision=edited.revision)
    record_edit(call, facts, action_event(action, "criterion.removed", event_data, criterion.id))
    return to_planned_action(call, edited, facts.project_key, after)


OPERATION = Operation(
    name="remove_criterion",
    title="Remove a criterion",
    description=(
        "Take an acceptance criterion off an action, at once and in published builds too; its evidence stays in the "
        "log. The answer is the whole action. Refused: 404 no such criterion, 409 someone changed the action since "
        "expected_revision."
    ),
    input=RemoveCriterion,
    output=PlannedAction,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
