"""get_action_brief: everything an agent needs to build one action, and nothing it has to guess."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import SUBMITTED
from pendesk.domain.agent_session import Relation
from pendesk.domain.claim import ActionFacts, Claim, has_live_lease, may_read_brief_as_holder, may_see_as_holder
from pendesk.domain.criterion import Criterion, CriterionStatus
from pendesk.domain.evidence import EvidenceHistory, history_without_evidence
from pendesk.operations.building.brief_attachments import add_attachment_urls
from pendesk.operations.building.brief_changes import (
    brief_changes,
    fields_of_brief_rev,
    last_seen_brief_fields,
    reduce_to_changes,
)
from pendesk.operations.building.brief_next_step import add_availability_and_next_step
from pendesk.operations.building.brief_results import Brief
from pendesk.operations.building.brief_review import prerequisite_code, submission_brief
from pendesk.operations.building.brief_texts import published_or_current_brief_texts
from pendesk.operations.building.claim_guard import (
    action_not_found_refusal,
    find_and_lock_action_past_scoping,
    may_resume_expired,
    may_see_spec,
    renew_or_resume_claim_if_due,
    restart_with_caller_locked,
)
from pendesk.operations.building.evidence import advance_and_save_criteria_status
from pendesk.operations.building.make_brief import linked_documents, make_brief, read_ahead_siblings, sibling_briefs
from pendesk.operations.building.reported_work import (
    NOBODY,
    Reader,
    add_reported_work,
    existing_records,
    read_ahead_existing_records,
    reader_of,
)
from pendesk.operations.building.results import claim_result, is_unread_build
from pendesk.operations.fields import ActionPid, BriefRev
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.session_news import is_addressed, pop_unread_news
from pendesk.operations.truncate import RestField, read_rest, truncate_to_token_limit
from pendesk.store import claims, criteria
from pendesk.store.action_records import ActionRecords
from pendesk.store.builds import BriefTexts

NEWER = (
    "A newer build of this spec was published after you claimed, and this is its brief: build what it says. "
    "changes, where there are any, list what is different from what you had read."
)


UNKNOWN_REV = "Nothing is known of the brief_rev you named, so this is the whole brief."


class GetActionBrief(Input):
    action_pid: ActionPid
    brief_rev: Annotated[BriefRev, Meta(description="A briefRev you have read: get only changes.")] | None = None
    rest: RestField | None = None


def run(call: Call, args: GetActionBrief) -> Brief:
    facts = find_and_lock_action_past_scoping(call, args.action_pid)
    if not may_see_as_holder(facts) and not may_see_spec(call, facts.action.spec_id):
        raise action_not_found_refusal(call, args.action_pid)
    if facts.relation == Relation.SAME and may_resume_expired(call, facts):
        facts = restart_with_caller_locked(call, args.action_pid)
    own_claim = facts.claim if may_read_brief_as_holder(facts) else None
    reader = reader_of(call, own_claim)
    _read_ahead(call, facts, reader, with_surroundings=args.rest is not None or args.brief_rev is None)
    texts = published_or_current_brief_texts(call, facts)
    records = existing_records(call, facts, reader)
    histories = _mark_criteria_seen(call, facts, own_claim, records)
    brief = make_brief(call, facts, texts, histories, records)
    brief.news = pop_unread_news(call, facts)
    if own_claim is not None:
        _renew_claim_and_add_holder_fields(call, facts, own_claim, texts, brief)
    add_availability_and_next_step(call, facts, brief)
    _add_work_so_far(call, facts, reader, records, brief)
    if args.rest is None and args.brief_rev is not None:
        fields_before = fields_of_brief_rev(call, facts, own_claim, args.brief_rev, texts)
        if fields_before is not None:
            reduce_to_changes(brief, fields_before, texts)
            return truncate_to_token_limit(brief)
        brief.advisory = " ".join(filter(None, (brief.advisory, UNKNOWN_REV)))
    _add_surroundings(call, facts, brief)
    return truncate_to_token_limit(brief) if args.rest is None else _rest_of_truncated_brief(brief, args.rest)


def _read_ahead(call: Call, facts: ActionFacts, reader: Reader, *, with_surroundings: bool) -> None:
    """What nearly every brief reads, however the action stands."""
    read_ahead_existing_records(call, facts, reader)
    criteria.read_ahead_of_action(call.tx, facts.action.id)
    if with_surroundings:
        read_ahead_siblings(call, facts)


def preview_brief(call: Call, facts: ActionFacts) -> Brief:
    """What whoever claims the action next will read. Nobody has read it by that: nothing is changed."""
    records = existing_records(call, facts, NOBODY)
    histories, _criteria = _evidence_histories_and_criteria(call, facts, records)
    brief = make_brief(call, facts, published_or_current_brief_texts(call, facts), histories, records)
    _add_work_so_far(call, facts, NOBODY, records, brief)
    _add_surroundings(call, facts, brief)
    return truncate_to_token_limit(brief)


def _mark_criteria_seen(
    call: Call, facts: ActionFacts, own_claim: Claim | None, records: ActionRecords
) -> dict[str, EvidenceHistory]:
    """How each criterion stands, once the holder has read it."""
    histories, present = _evidence_histories_and_criteria(call, facts, records)
    if own_claim is None or all(history.status != CriterionStatus.PENDING for history in histories.values()):
        return histories
    present = present or criteria.of_action(call.tx, facts.action.id)
    moved = advance_and_save_criteria_status(call, facts.action, present, CriterionStatus.SEEN, own_claim.agent_model)
    return histories | {criterion.id: histories[criterion.id]._replace(status=criterion.status) for criterion in moved}


def _evidence_histories_and_criteria(
    call: Call, facts: ActionFacts, records: ActionRecords
) -> tuple[dict[str, EvidenceHistory], list[Criterion]]:
    """Where nothing was shown or judged yet, the criteria alone say it; else they are not loaded."""
    if records.evidence or records.test_results or records.submissions:
        return criteria.evidence_history_by_criterion_id(call.tx, facts.action.id), []
    present = criteria.of_action(call.tx, facts.action.id)
    return {criterion.id: history_without_evidence(criterion) for criterion in present}, present


def _add_surroundings(call: Call, facts: ActionFacts, brief: Brief) -> None:
    brief.sibling_actions = sibling_briefs(call, facts)
    if brief.spec is not None and brief.spec.attachments:
        add_attachment_urls(call, brief.spec)


def _add_work_so_far(call: Call, facts: ActionFacts, reader: Reader, records: ActionRecords, brief: Brief) -> None:
    """May be new to whoever has read the brief before."""
    brief.prerequisites = prerequisite_code(call, facts) if records.prerequisites else []
    brief.documents = linked_documents(call, facts) if records.documents else []
    if records.submissions and facts.action.state in SUBMITTED:
        brief.submission = submission_brief(call, facts)
    add_reported_work(call, facts, reader, records, brief)


def _rest_of_truncated_brief(brief: Brief, rest_position: str) -> Brief:
    """Beside it only what must not be missed."""
    action = msgspec.structs.replace(brief.action, description="", paths=[], acceptance_criteria=[])
    beside = Brief(
        action=action,
        spec=None,
        plan=None,
        sibling_actions=[],
        open_clarifications=[],
        brief_rev=brief.brief_rev,
        claim=brief.claim,
        advisory=brief.advisory,
        news=brief.news,
    )
    return read_rest(brief, rest_position, beside)


def _renew_claim_and_add_holder_fields(
    call: Call, facts: ActionFacts, claim: Claim, texts: BriefTexts, brief: Brief
) -> None:
    """What only the holder gets, and what reading the brief changes: the lease, and what they have seen."""
    claim = renew_or_resume_claim_if_due(call, facts, claim)
    brief.advisory = NEWER if is_unread_build(facts, claim) else None
    if claim.seen_rev is not None and claim.seen_rev != texts.brief_rev:
        brief.changes = brief_changes(last_seen_brief_fields(call, facts, claim), texts).shown
    told_event_id = _last_told_event_id(call, facts, claim) if brief.news else claim.told_event_id
    seen = claim._replace(
        told_event_id=max(told_event_id, claim.told_event_id),
        seen_build_id=facts.build_id,
        seen_revision=facts.action.revision,
        seen_rev=texts.brief_rev,
    )
    if seen != claim:
        claims.save_seen_brief_version_and_renewal(call.tx, seen)
    if has_live_lease(seen, call.now):
        brief.claim = claim_result(seen)


def _last_told_event_id(call: Call, facts: ActionFacts, claim: Claim) -> int:
    """What the session has not read yet waits in its queue; others have read as far as the claim says by now."""
    if is_addressed(facts):
        return facts.action.news_event_id
    saved = claims.by_id(call.tx, claim.id)
    return saved.told_event_id if saved is not None else claim.told_event_id


OPERATION = Operation(
    name="get_action_brief",
    title="Read an action's brief",
    description=(
        "Whether you hold the action, what to do next, and all you need to build it: with the review, your own "
        "reports, the hand-over of earlier holders and what changed, where there is any. Call it right after "
        "claim_action, after a context reset, and when an advisory or news says so; not to poll. Marks your criteria "
        "as seen."
    ),
    input=GetActionBrief,
    output=Brief,
    scope=Scope.SPECS_READ,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
