"""answer_clarification: relay the answer that the user gave in the chat."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.claim import ActionFacts, check_may_relay_answer
from pendesk.domain.clarification import Clarification, record_answer_relayed_by_agent
from pendesk.domain.errors import NotFound
from pendesk.domain.event_data import ClarificationAnsweredData
from pendesk.ids import parse_id
from pendesk.operations.building.claim_guard import (
    find_and_lock_action_past_scoping,
    may_resume_expired,
    renew_or_resume_claim_if_due,
    require_held_claim,
    restart_with_caller_locked,
)
from pendesk.operations.building.results import (
    ClarificationResult,
    clarification_result,
    outdated_brief_advisory,
)
from pendesk.operations.fields import BriefRev, ClaimId, IdempotencyKey, Ident, Message
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.session_news import pop_unread_news
from pendesk.store import clarifications


class AnswerClarification(Input):
    clarification_pid: Annotated[Ident, Meta(description="The question's pid.")]
    answer: Annotated[Message, Meta(description="The user's answer, in their words or faithfully put.")]
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: AnswerClarification) -> ClarificationResult:
    facts, question = find_and_lock_clarification(call, args.clarification_pid)
    if args.claim_id is not None:
        late = ClarificationAnsweredData(clarification=question.id, answer=args.answer)
        facts, _ = require_held_claim(call, facts, args.claim_id, ("clarification.answered", late))
    claim = facts.claim
    check_may_relay_answer(facts, call.now)
    answered, event = record_answer_relayed_by_agent(facts.action, question, args.answer, call.actor, call.now)
    clarifications.save_answer(call.tx, answered)
    call.record(event, claim.agent_model if claim else None)
    result = clarification_result(call, answered)
    if claim is not None and facts.is_callers:
        renew_or_resume_claim_if_due(call, facts, claim)
        result.advisory = outdated_brief_advisory(call, facts, claim, args.brief_rev)
    result.news = pop_unread_news(call, facts)
    return result


def find_and_lock_clarification(call: Call, clarification_id: str) -> tuple[ActionFacts, Clarification]:
    """The question and its action, which is locked first: every write takes its locks in that order."""
    pid = parse_id(clarification_id)
    action_id = clarifications.action_id_of(call.tx, pid) if pid else None
    if pid is None or action_id is None:
        raise NotFound("clarification", clarification_id)
    try:
        facts = find_and_lock_action_past_scoping(call, action_id)
    except NotFound:
        # Hidden with its action, and no more is said than of one that never was.
        raise NotFound("clarification", clarification_id) from None
    if may_resume_expired(call, facts):
        facts = restart_with_caller_locked(call, action_id)
    question = clarifications.by_id(call.tx, pid)
    assert question is not None
    return facts, question


OPERATION = Operation(
    name="answer_clarification",
    title="Relay an answer",
    description=(
        "Record the answer that the user gave you in the chat to a question from request_clarification. Never answer "
        "it yourself; what a person answers in Pendesk reaches you as news. Submission is possible again. Refused: "
        "422 answered already (use that answer), 403 another agent holds the action."
    ),
    input=AnswerClarification,
    output=ClarificationResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
