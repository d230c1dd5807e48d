"""restore_criterion: it holds again, where it stood, with its status and its evidence."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.criterion import Criterion, check_may_add_criterion
from pendesk.domain.errors import NotFound
from pendesk.domain.event_data import CriterionRemovedData
from pendesk.domain.limits import ACTION_CRITERIA
from pendesk.domain.project import check_count_below_limit
from pendesk.ids import parse_id
from pendesk.operations.actions.find import find_and_lock_action
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.actions.revised_action import edit_action
from pendesk.operations.fields import IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.session_news import record_edit
from pendesk.store import criteria


class RestoreCriterion(Input):
    criterion_id: Annotated[Ident, Meta(description="The id of a criterion that was removed.")]
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: RestoreCriterion) -> PlannedAction:
    facts = find_and_lock_action(call, _find_criterion_even_if_removed(call, args.criterion_id).action_id)
    criterion = _find_criterion_even_if_removed(call, args.criterion_id)
    action = facts.action
    if criterion.removed_at is None:
        return to_planned_action(call, action, facts.project_key, criteria.of_action(call.tx, action.id))
    check_may_add_criterion(facts.ref, action.state)
    present = criteria.of_action(call.tx, action.id)
    check_count_below_limit(len(present), ACTION_CRITERIA, f"criteria on {facts.ref}", "Split the action in two.")
    criteria.restore(call.tx, criterion.id)
    after = criteria.of_action(call.tx, action.id)
    edited, _ = edit_action(call, action, present, after, {}, None)
    event_data = CriterionRemovedData(text=criterion.text, status=criterion.status, revision=edited.revision)
    record_edit(call, facts, action_event(action, "criterion.restored", event_data, criterion.id))
    return to_planned_action(call, edited, facts.project_key, after)


def _find_criterion_even_if_removed(call: Call, criterion_id: str) -> Criterion:
    pid = parse_id(criterion_id)
    criterion = criteria.by_id_even_if_removed(call.tx, pid) if pid else None
    if criterion is None:
        raise NotFound("criterion", criterion_id)
    return criterion


OPERATION = Operation(
    name="restore_criterion",
    title="Restore a criterion",
    description=(
        "Bring a removed acceptance criterion back, with its status and evidence, at once and in published builds too; "
        "the answer is the whole action. Refused: 404 no such criterion, 422 the action is done or dropped "
        "(reopen it first) or has too many."
    ),
    input=RestoreCriterion,
    output=PlannedAction,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
