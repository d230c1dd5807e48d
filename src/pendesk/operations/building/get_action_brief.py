"""get_action_brief: everything an agent needs to build one action, and nothing it has to guess."""

from typing import Any

import msgspec

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import CLOSED, SUBMITTED, ref_code, status_for_agents
from pendesk.domain.build import brief_revision_hash, diff_briefs_by_field
from pendesk.domain.claim import (
    ActionFacts,
    Claim,
    has_live_lease,
    holder_label,
    is_held_even_if_expired,
    may_read_brief_as_holder,
    may_see_as_holder,
)
from pendesk.domain.clarification import QuestionState
from pendesk.domain.criterion import Criterion, CriterionStatus
from pendesk.domain.evidence import EvidenceHistory, evidence_state
from pendesk.domain.limits import CHANGE_CHARS, CHANGES_TOLD, HAND_OVER_COMMITS, LABEL_CHARS, SIBLINGS_IN_BRIEF
from pendesk.domain.review import Verdict
from pendesk.operations.actions.history import UnmetRow, unmet_rows
from pendesk.operations.building.brief_fields import brief_texts_by_field_name
from pendesk.operations.building.claim_guard import (
    action_not_found_refusal,
    find_and_lock_action_past_scoping,
    may_resume_expired,
    may_see_spec,
    renew_or_resume_claim_if_due,
    restart_with_caller_locked,
)
from pendesk.operations.building.evidence import advance_and_save_criteria_status
from pendesk.operations.building.results import (
    ClaimResult,
    ClarificationResult,
    NewsItem,
    claim_result,
    clarification_result,
    outdated_brief_advisory,
    pop_unread_news,
)
from pendesk.operations.fields import ActionPid
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.truncate import (
    RestField,
    Truncatable,
    rest_after_cut_with_further_cuts,
    truncate_to_token_limit,
)
from pendesk.store import actions, builds, claims, clarifications, criteria, reports, reviews, revisions
from pendesk.store.builds import BriefTexts
from pendesk.store.engine.json_text import from_json, to_json

NEWER = (
    "A newer build of this spec was published after you claimed, and this is its brief: build what it says. "
    "changes, where there are any, list what is different from what you had read."
)


class GetActionBrief(Input):
    action_pid: ActionPid
    rest: RestField | None = None


class CriterionBrief(Output):
    """evidence_state: by whose word it is met, or failing, stale or rejected; left out where nothing was shown."""

    id: str
    text: str
    status: str
    evidence_state: str = "none"


class ActionBrief(Output):
    pid: str
    ref_code: str
    label: str
    description: str
    area: str
    status: str
    paths: list[str]
    acceptance_criteria: list[CriterionBrief]


class AttachmentBrief(Output):
    pid: str
    name: str
    media_type: str
    size_bytes: int


class SpecBrief(Output):
    pid: str
    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]
    attachments: list[AttachmentBrief]


class PlanBrief(Output):
    approach: str


class SiblingBrief(Output):
    pid: str
    ref_code: str
    label: str
    area: str
    status: str
    claimed_by: str | None


class ReviewItemBrief(Output):
    id: str
    text: str
    criterion_id: str | None = None
    disposition: str | None = None


class ReviewBrief(Output):
    verdict: str
    summary: str
    reviewed_at: str
    head_sha: str | None
    items: list[ReviewItemBrief]


class SubmissionBrief(Output):
    """What waits for a person, or was judged last; branch and head_sha say where it is without a pull request."""

    number: int
    pr_url: str | None = None
    branch: str | None = None
    head_sha: str | None = None
    unmet: list[UnmetRow] = []


class HandOver(Output):
    """What the holder before left behind."""

    holder: str
    agent_model: str | None
    ended: str
    branch: str | None
    commits: list[str]
    last_progress: str | None


class Brief(Truncatable, kw_only=True):
    action: ActionBrief
    spec: SpecBrief | None
    plan: PlanBrief | None
    sibling_actions: list[SiblingBrief]
    open_clarifications: list[ClarificationResult]
    brief_rev: str
    answered_clarifications: list[ClarificationResult] = []
    submission: SubmissionBrief | None = None
    review: ReviewBrief | None = None
    hand_over: HandOver | None = None
    changes: list[dict[str, str]] = []
    claim: ClaimResult | None = None
    advisory: str | None = None
    news: list[NewsItem] = []


def run(call: Call, args: GetActionBrief) -> Brief:
    facts = find_and_lock_action_past_scoping(call, args.action_pid)
    if not may_see_as_holder(facts) and not may_see_spec(call, facts.action.spec_id):
        raise action_not_found_refusal(call, args.action_pid)
    if facts.is_callers and may_resume_expired(call, facts):
        facts = restart_with_caller_locked(call, args.action_pid)
    present = criteria.of_action(call.tx, facts.action.id)
    texts = _published_or_current_brief_texts(call, facts, present)
    mine = facts.claim if may_read_brief_as_holder(facts) else None
    if mine is not None:
        advance_and_save_criteria_status(call, facts.action, present, CriterionStatus.SEEN, mine.agent_model)
    brief = _add_review_and_hand_over_to_brief(call, facts, mine, make_brief(call, facts, texts))
    if mine is not None:
        _renew_claim_and_add_holder_fields(call, facts, mine, texts, brief)
    return truncate_to_token_limit(brief) if args.rest is None else _rest_of_truncated_brief(brief, args.rest)


def preview_brief(call: Call, facts: ActionFacts) -> Brief:
    """What whoever claims the action next will read. Nobody has read it by that: nothing is changed."""
    present = criteria.of_action(call.tx, facts.action.id)
    brief = make_brief(call, facts, _published_or_current_brief_texts(call, facts, present))
    return truncate_to_token_limit(_add_review_and_hand_over_to_brief(call, facts, None, brief))


def _add_review_and_hand_over_to_brief(call: Call, facts: ActionFacts, own_claim: Claim | None, brief: Brief) -> Brief:
    """With what was submitted, the review that it came back from, and what the holder before left behind."""
    if facts.action.state in SUBMITTED:
        brief.submission = _submission_brief(call, facts)
    if facts.action.state not in CLOSED:
        brief.review = _review_brief(call, facts)
    brief.hand_over = _previous_hand_over(call, facts, own_claim) if facts.action.fence > 1 else None
    return brief


def make_brief(call: Call, facts: ActionFacts, texts: BriefTexts) -> Brief:
    """What it says to anyone: the instructions, and what was asked about them."""
    questions = [(clarification_result(row), row.state) for row in clarifications.of_action(call.tx, facts.action.id)]
    return Brief(
        action=_action_brief(facts, texts, criteria.evidence_history_by_criterion_id(call.tx, facts.action.id)),
        spec=spec_brief(texts.spec) if texts.spec else None,
        plan=PlanBrief(approach=texts.plan["approach"]) if texts.plan else None,
        sibling_actions=_sibling_briefs(call, facts),
        open_clarifications=[result for result, state in questions if state == QuestionState.OPEN],
        brief_rev=texts.brief_rev,
        answered_clarifications=[result for result, state in questions if state == QuestionState.ANSWERED],
    )


def _rest_of_truncated_brief(brief: Brief, rest_position: str) -> Brief:
    """Beside it only what must not be missed."""
    rest, cut = rest_after_cut_with_further_cuts(brief, rest_position)
    action = msgspec.structs.replace(brief.action, description="", paths=[], acceptance_criteria=[])
    return Brief(
        action=action,
        spec=None,
        plan=None,
        sibling_actions=[],
        open_clarifications=[],
        brief_rev=brief.brief_rev,
        claim=brief.claim,
        advisory=brief.advisory,
        news=brief.news,
        rest=rest,
        cut=cut,
    )


def _published_or_current_brief_texts(call: Call, facts: ActionFacts, action_criteria: list[Criterion]) -> BriefTexts:
    """The published texts; a task without a build is read as it stands."""
    action = facts.action
    if facts.build_id is not None:
        published = builds.brief_texts(call.tx, facts.build_id, action.id)
        if published is not None:
            return published
    snapshot = {
        "label": action.label,
        "description": action.description,
        "area": action.area,
        "paths": from_json(action.paths),
        "criteria": [{"id": criterion.id, "text": criterion.text} for criterion in action_criteria],
    }
    return BriefTexts({}, {}, snapshot, brief_revision_hash("", to_json(snapshot)))


def _action_brief(facts: ActionFacts, texts: BriefTexts, histories: dict[str, EvidenceHistory]) -> ActionBrief:
    action = facts.action
    return ActionBrief(
        pid=action.id,
        ref_code=facts.ref,
        label=texts.action["label"],
        description=texts.action["description"],
        area=texts.action["area"],
        status=status_for_agents(action.state),
        paths=texts.action["paths"],
        acceptance_criteria=[
            criterion_brief(criterion, histories[criterion["id"]])
            for criterion in texts.action["criteria"]
            if criterion["id"] in histories
        ],
    )


def criterion_brief(criterion_snapshot: dict[str, Any], history: EvidenceHistory) -> CriterionBrief:
    return CriterionBrief(
        id=criterion_snapshot["id"],
        text=criterion_snapshot["text"],
        status=history.status,
        evidence_state=evidence_state(history),
    )


def spec_brief(spec_snapshot: dict[str, Any]) -> SpecBrief:
    """A spec as a build froze it."""
    return SpecBrief(
        pid=spec_snapshot["id"],
        title=spec_snapshot["title"],
        summary=spec_snapshot["summary"],
        results=spec_snapshot["results"],
        conditions=spec_snapshot["conditions"],
        boundaries=spec_snapshot["boundaries"],
        attachments=[
            AttachmentBrief(
                pid=attachment["id"],
                name=attachment["name"],
                media_type=attachment["mediaType"],
                size_bytes=attachment["sizeBytes"],
            )
            for attachment in spec_snapshot["attachments"]
        ],
    )


def _sibling_briefs(call: Call, facts: ActionFacts) -> list[SiblingBrief]:
    rows = actions.plan_siblings_with_holder_id(call.tx, facts.action, SIBLINGS_IN_BRIEF)
    return [
        SiblingBrief(
            pid=pid,
            ref_code=ref_code(facts.project_key, number),
            label=label,
            area=area,
            status=status_for_agents(state),
            claimed_by=holder,
        )
        for pid, number, label, area, state, holder in rows
    ]


def _submission_brief(call: Call, facts: ActionFacts) -> SubmissionBrief | None:
    submission = reviews.newest_submission(call.tx, facts.action.id)
    if submission is None:
        return None
    return SubmissionBrief(
        number=submission.number,
        pr_url=submission.pr_url,
        branch=submission.branch,
        head_sha=submission.head_sha,
        unmet=unmet_rows(call, submission.id),
    )


def _review_brief(call: Call, facts: ActionFacts) -> ReviewBrief | None:
    review = reviews.newest_review(call.tx, facts.action.id)
    if review is None or review.verdict == Verdict.APPROVED:
        return None
    return ReviewBrief(
        verdict=review.verdict,
        summary=review.summary,
        reviewed_at=to_iso(review.reviewed_at),
        head_sha=review.head_sha,
        items=[
            ReviewItemBrief(id=item.id, text=item.text, criterion_id=item.criterion_id, disposition=item.disposition)
            for item in reviews.items_of(call.tx, review)
        ],
    )


def _previous_hand_over(call: Call, facts: ActionFacts, own_claim: Claim | None) -> HandOver | None:
    fence = own_claim.fence if own_claim is not None else facts.action.fence + 1
    earlier = claims.previous_claim_with_user_and_agent(call.tx, facts.action.id, fence)
    if earlier is None:
        return None
    claim, user, agent = earlier
    if has_live_lease(claim, call.now):
        return None  # at work: there is nothing to take over
    commits = reports.commits_of_action(call.tx, facts.action.id, HAND_OVER_COMMITS)
    return HandOver(
        holder=holder_label(user, agent, is_callers_user=claim.user_id == call.actor.user_id),
        agent_model=claim.agent_model,
        ended="expired" if is_held_even_if_expired(claim) else claim.state,
        branch=next((commit.branch for commit in commits if commit.branch), None),
        commits=[f"{commit.sha} {commit.message.splitlines()[0][:LABEL_CHARS]}" for commit in commits],
        last_progress=claim.last_message,
    )


def _renew_claim_and_add_holder_fields(
    call: Call, facts: ActionFacts, claim: Claim, texts: BriefTexts, brief: Brief
) -> None:
    """What only the holder gets, and what reading the brief changes: the lease, and what they have seen."""
    claim = renew_or_resume_claim_if_due(call, facts, claim)
    brief.advisory = NEWER if outdated_brief_advisory(facts, claim) else None
    brief.news = pop_unread_news(call, facts)
    if claim.seen_rev is not None and claim.seen_rev != texts.brief_rev:
        brief.changes = _brief_changes_since_last_seen(call, claim, texts, facts)
    news_seq = facts.action.news_seq if brief.news else claim.told_seq
    seen = claim._replace(
        told_seq=max(news_seq, claim.told_seq),
        seen_build_id=facts.build_id,
        seen_revision=facts.action.revision,
        seen_rev=texts.brief_rev,
    )
    if seen != claim:
        claims.save_seen_brief_version_and_renewal(call.tx, seen)
    if has_live_lease(seen, call.now):
        brief.claim = claim_result(seen)


def _brief_changes_since_last_seen(
    call: Call, claim: Claim, texts: BriefTexts, facts: ActionFacts
) -> list[dict[str, str]]:
    differences = diff_briefs_by_field(_last_seen_brief_fields(call, claim, facts), brief_texts_by_field_name(texts))
    listed = [{name: text[:CHANGE_CHARS] for name, text in change.items()} for change in differences[:CHANGES_TOLD]]
    more = len(differences) - len(listed)
    return listed if more == 0 else [*listed, {"field": f"and {more} more: read the brief whole"}]


def _last_seen_brief_fields(call: Call, claim: Claim, facts: ActionFacts) -> dict[str, Any]:
    if claim.seen_build_id is not None:
        seen = builds.brief_texts(call.tx, claim.seen_build_id, facts.action.id)
        if seen is not None:
            return brief_texts_by_field_name(seen)
    return revisions.content(call.tx, facts.action.id, claim.seen_revision or 1)


OPERATION = Operation(
    name="get_action_brief",
    title="Read an action's brief",
    description=(
        "Everything needed to build one action, and, if there are any, the review, the hand-over of an earlier holder "
        "and the changes since you last read it. Call it right after claim_action, after a context reset, and when an "
        "advisory or news says so; not to poll. Marks your criteria as seen."
    ),
    input=GetActionBrief,
    output=Brief,
    scope=Scope.SPECS_READ,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
