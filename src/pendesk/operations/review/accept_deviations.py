"""accept_deviations: a person accepts where a submission departs from what was agreed, and may agree to it for good."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event
from pendesk.domain.claim import ActionFacts
from pendesk.domain.deviation import (
    Deviation,
    DeviationState,
    check_can_go_into_spec,
    describe_deviations,
    require_deviations,
)
from pendesk.domain.event_data import DeviationsData
from pendesk.domain.limits import LIST_ITEMS
from pendesk.domain.project import Spec
from pendesk.domain.review import Submission, require_reviewable_submission
from pendesk.operations.actions.find import find_action, find_and_lock_action
from pendesk.operations.actions.revised_action import edit_action
from pendesk.operations.fields import ActionId, IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.review.deviation_view import (
    Agreed,
    DeviationRow,
    deviation_row,
    spec_edit,
    widened_paths,
)
from pendesk.operations.session_news import record_edit
from pendesk.operations.specs.find import find_and_lock_spec
from pendesk.operations.specs.update_spec import edit_spec
from pendesk.store import criteria, deviations, people, reviews

PUBLISH = "Publish the spec again to show agents what is agreed now."


class AcceptDeviations(Input):
    action_id: ActionId
    deviation_ids: Annotated[list[Ident], Meta(min_length=1, max_length=LIST_ITEMS, description="From get_review.")]
    into_spec: Annotated[
        bool, Meta(description="Also edit what was agreed: the action's paths, or the rule in the spec.")
    ] = False
    idempotency_key: IdempotencyKey | None = None


class AcceptedDeviations(Output):
    """deviations: all of the submission, as they are now."""

    action_pid: str
    ref_code: str
    deviations: list[DeviationRow]
    advisory: str | None = None


def run(call: Call, args: AcceptDeviations) -> AcceptedDeviations:
    spec = _lock_spec(call, args) if args.into_spec else None
    facts = find_and_lock_action(call, args.action_id)
    submission = _reviewable_submission(call, facts)
    chosen = require_deviations(deviations.of_submission(call.tx, submission.id), args.deviation_ids)
    accepted = [entry for entry in chosen if entry.state != DeviationState.ACCEPTED]
    if args.into_spec:
        check_can_go_into_spec(chosen)
        facts, spec = _agree_to(call, facts, spec, chosen)
    if accepted:
        deviations.decide(call.tx, [entry.id for entry in accepted], DeviationState.ACCEPTED, call.actor.user_id)
        data = DeviationsData(
            number=submission.number,
            what=describe_deviations(accepted),
            ids=[entry.id for entry in accepted],
            into_spec=args.into_spec or None,
        )
        call.record(action_event(facts.action, "deviations.accepted", data, submission.id))
    rows = deviations.of_submission(call.tx, submission.id)
    names = people.names_by_user_id(call.tx, [entry.decided_by for entry in rows if entry.decided_by])
    return AcceptedDeviations(
        action_pid=facts.action.id,
        ref_code=facts.ref,
        deviations=[deviation_row(entry, Agreed(facts.action, spec), names) for entry in rows],
        advisory=PUBLISH if args.into_spec and facts.action.spec_id else None,
    )


def _lock_spec(call: Call, args: AcceptDeviations) -> Spec | None:
    """Before the action: every operation takes its locks in that order."""
    spec_id = find_action(call, args.action_id).action.spec_id
    return find_and_lock_spec(call, spec_id) if spec_id else None


def _reviewable_submission(call: Call, facts: ActionFacts) -> Submission:
    submission = reviews.newest_submission(call.tx, facts.action.id)
    is_reviewed = submission is not None and reviews.of_submission(call.tx, submission.id) is not None
    return require_reviewable_submission(facts.ref, facts.action, submission, is_reviewed, (None, None))


def _agree_to(
    call: Call, facts: ActionFacts, spec: Spec | None, chosen: list[Deviation]
) -> tuple[ActionFacts, Spec | None]:
    changes = spec_edit(spec, chosen)
    if spec is not None and changes:
        spec = edit_spec(call, spec, changes)
    paths = widened_paths(facts.action, chosen)
    if paths is not None:
        present = criteria.of_action(call.tx, facts.action.id)
        action, edit = edit_action(call, facts.action, present, present, {"action.paths": paths}, None)
        if edit.changed:
            record_edit(call, facts, action_event(action, "action.edited", edit.event_data))
        facts = facts._replace(action=action)
    return facts, spec


OPERATION = Operation(
    name="accept_deviations",
    title="Accept deviations",
    description=(
        "Accept where the newest submission of an action departs from what was agreed; get_review lists it. into_spec "
        "also edits what was agreed: files outside its paths join the action's paths; forbidden files and added "
        "dependencies become exceptions of the rule in the spec. Refused: 404 no such action, 422 nothing waits for a "
        "review or no edit makes it good, 409 it was pushed or submitted again."
    ),
    input=AcceptDeviations,
    output=AcceptedDeviations,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
