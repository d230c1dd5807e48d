"""update_criterion: say it better. What was shown for the old text no longer counts as fresh."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.criterion import Criterion
from pendesk.operations.actions.find import find_and_lock_criterion
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.actions.revised_action import edit_action
from pendesk.operations.fields import ExpectedRevision, IdempotencyKey, Ident, Line, Position
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.session_news import record_edit
from pendesk.store import criteria


class UpdateCriterion(Input):
    criterion_id: Annotated[Ident, Meta(description="The criterion's id, from get_action.")]
    text: Line | None = None
    position: Annotated[Position, Meta(description="Its place among the action's criteria.")] | None = None
    expected_revision: Annotated[ExpectedRevision, Meta(description="The action's revision you edited.")] | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: UpdateCriterion) -> PlannedAction:
    facts, criterion = find_and_lock_criterion(call, args.criterion_id)
    action = facts.action
    edited = _apply_edit(criterion, args)
    before = criteria.of_action(call.tx, action.id)
    others = [other for other in before if other.id != edited.id]
    after = sorted([edited, *others], key=lambda criterion: (criterion.position, criterion.id))
    revised, _ = edit_action(call, action, before, after, {}, args.expected_revision)
    if edited != criterion:
        criteria.save_text_and_position(call.tx, edited)
        is_reworded = edited.text != criterion.text
        if is_reworded:
            reason = f"The criterion was reworded by {call.actor.user_name} after this was shown."
            criteria.mark_criterion_evidence_stale(call.tx, criterion.id, reason)
        event_data = {
            "revision": revised.revision,
            "reworded": is_reworded,
            "before": {"text": criterion.text, "position": criterion.position},
            "after": {"text": edited.text, "position": edited.position},
        }
        record_edit(call, facts, action_event(action, "criterion.edited", event_data, criterion.id))
    return to_planned_action(call, revised, facts.project_key, after)


def _apply_edit(criterion: Criterion, args: UpdateCriterion) -> Criterion:
    text = criterion.text if args.text is None else args.text
    return criterion._replace(
        text=text,
        position=criterion.position if args.position is None else args.position,
        revision=criterion.revision + (text != criterion.text),
    )


OPERATION = Operation(
    name="update_criterion",
    title="Edit a criterion",
    description=(
        "Reword an acceptance criterion or move it; the answer is the whole action. Its status stays, but evidence "
        "given for the old text becomes stale and says why. Refused: 404 no such criterion, 409 someone changed the "
        "action since expected_revision."
    ),
    input=UpdateCriterion,
    output=PlannedAction,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
