"""What the building operations answer with."""

import msgspec

from pendesk.domain.action import status_for_agents
from pendesk.domain.claim import ActionFacts, Claim, expiry_iso, has_live_lease
from pendesk.domain.clarification import Clarification
from pendesk.operations.actions.action_fields import AssigneeResult
from pendesk.operations.agent_answers import is_agent_call
from pendesk.operations.building.brief_texts import published_or_current_brief_texts
from pendesk.operations.changes.deviations import DeviationResult
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.operations.session_news import NewsItem, pop_unread_news
from pendesk.store import people

SUPERSEDED = (
    "A newer build of this spec was published after you claimed. "
    "Call get_action_brief now: its changes list what is different."
)
BRIEF_CHANGED = "The brief has changed since you read it. Call get_action_brief: its changes list what is different."


class ClaimResult(Output):
    id: str
    fence: int
    expires_at: str | None = None


class ActionResult(Output):
    pid: str
    ref_code: str
    label: str
    area: str
    status: str
    claimed_by: str | None
    claim: ClaimResult | None = None
    assignee: AssigneeResult | None = None
    advisory: str | None = None
    next_step: str | None = msgspec.field(default=None, name="next_step")
    deviations: list[DeviationResult] = []
    news: list[NewsItem] = []


class RelayedText(Output):
    answer: str


class ClarificationResult(Output):
    """asked_by: who, or whose agent, asked. relayed: an agent says that its person answered so. If that is the agent of
    somebody else, the answer is under untrusted.
    """

    pid: str
    action_pid: str
    asked_by: str
    question: str
    status: str
    answer: str | None = None
    answered_at: str | None = None
    relayed: bool = False
    untrusted: RelayedText | None = None
    written_back: bool = False
    next_step: str | None = msgspec.field(default=None, name="next_step")
    advisory: str | None = None
    news: list[NewsItem] = []


def claim_result(claim: Claim) -> ClaimResult:
    return ClaimResult(id=claim.id, fence=claim.fence, expires_at=expiry_iso(claim.expires_at))


def outdated_brief_advisory(
    call: Call, facts: ActionFacts, claim: Claim | None, brief_rev: str | None = None
) -> str | None:
    """Until the newer brief is read: from then on it is what the holder works from. Who names its brief_rev has it."""
    advisory = _unread_change(facts, claim) if claim is not None else None
    if advisory is None or brief_rev is None:
        return advisory
    return None if published_or_current_brief_texts(call, facts).brief_rev == brief_rev else advisory


def _unread_change(facts: ActionFacts, claim: Claim) -> str | None:
    if is_unread_build(facts, claim):
        return SUPERSEDED
    without_build = facts.build_id is None
    return BRIEF_CHANGED if without_build and claim.seen_revision not in (None, facts.action.revision) else None


def is_unread_build(facts: ActionFacts, claim: Claim) -> bool:
    return facts.build_id not in (claim.build_id, claim.seen_build_id)


def action_result_with_unread_news(
    call: Call, facts: ActionFacts, *, brief_rev: str | None = None, next_step: str | None = None
) -> ActionResult:
    action, claim = facts.action, facts.claim
    live = claim if has_live_lease(claim, call.now) else None
    return ActionResult(
        pid=action.id,
        ref_code=facts.ref,
        label=action.label,
        area=action.area,
        status=status_for_agents(action.state),
        claimed_by=live.user_id if live else None,
        claim=claim_result(live) if live and facts.is_callers else None,
        advisory=outdated_brief_advisory(call, facts, claim, brief_rev),
        next_step=next_step,
        news=pop_unread_news(call, facts),
    )


def clarification_result(call: Call, clarification: Clarification, next_step: str | None = None) -> ClarificationResult:
    (result,) = clarification_results(call, [clarification])
    result.next_step = next_step
    return result


def clarification_results(
    call: Call, rows: list[Clarification], *, for_agent: bool | None = None
) -> list[ClarificationResult]:
    """People see that an answer was relayed; to agents one that came by the agent of another is no instruction."""
    name_by_user_id = people.names_by_user_id(call.tx, list({row.asked_by for row in rows}))
    is_read_by_agent = is_agent_call(call) if for_agent is None else for_agent
    return [
        _clarification_result(
            row,
            name_by_user_id.get(row.asked_by, ""),
            is_from_others=is_read_by_agent and bool(row.relayed) and row.answered_by != call.actor.user_id,
        )
        for row in rows
    ]


def _clarification_result(clarification: Clarification, asked_by: str, *, is_from_others: bool) -> ClarificationResult:
    return ClarificationResult(
        pid=clarification.id,
        action_pid=clarification.action_id,
        asked_by=asked_by,
        question=clarification.question,
        status=clarification.state,
        answer=None if is_from_others else clarification.answer,
        answered_at=to_iso_or_none(clarification.answered_at),
        relayed=bool(clarification.relayed),
        untrusted=RelayedText(answer=clarification.answer or "") if is_from_others else None,
        written_back=clarification.written_back_revision is not None,
    )
