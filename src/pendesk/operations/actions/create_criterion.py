"""create_criterion: one more thing that must hold when an action is done."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.criterion import check_may_add_criterion, new_criterion
from pendesk.domain.event_data import CriterionCreatedData
from pendesk.domain.limits import ACTION_CRITERIA
from pendesk.domain.project import check_count_below_limit
from pendesk.ids import new_id
from pendesk.operations.actions.find import find_and_lock_action
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.actions.revised_action import edit_action
from pendesk.operations.fields import ActionId, ExpectedRevision, IdempotencyKey, Line
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.session_news import record_edit
from pendesk.store import criteria


class CreateCriterion(Input):
    action_id: ActionId
    text: Annotated[Line, Meta(description="One sentence that a test or a person can check.")]
    expected_revision: ExpectedRevision | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: CreateCriterion) -> PlannedAction:
    facts = find_and_lock_action(call, args.action_id)
    action = facts.action
    check_may_add_criterion(facts.ref, action.state)
    present = criteria.of_action(call.tx, action.id)
    check_count_below_limit(len(present), ACTION_CRITERIA, f"criteria on {facts.ref}", "Split the action in two.")
    position = 1 + max((criterion.position for criterion in present), default=0)
    criterion = new_criterion(new_id(), action.id, position, args.text)
    criteria.add(call.tx, criterion)
    after = [*present, criterion]
    edited, _ = edit_action(call, action, present, after, {}, args.expected_revision)
    event_data = CriterionCreatedData(text=args.text, revision=edited.revision)
    record_edit(call, facts, action_event(action, "criterion.created", event_data, criterion.id))
    return to_planned_action(call, edited, facts.project_key, after)


OPERATION = Operation(
    name="create_criterion",
    title="Add a criterion",
    description=(
        "Add an acceptance criterion to an action; the answer is the whole action. In a spec, agents see it after the "
        "next publish_build. Refused: 422 the action is done or dropped (reopen it first) or has too many; 409 "
        "someone changed the action since expected_revision."
    ),
    input=CreateCriterion,
    output=PlannedAction,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
