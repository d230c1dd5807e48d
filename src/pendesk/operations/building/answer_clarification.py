"""answer_clarification: relay the answer that the user gave in the chat."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.claim import is_live
from pendesk.domain.clarification import Clarification, check_open
from pendesk.domain.errors import HeldByAnother, NotFound
from pendesk.ids import parse_id
from pendesk.operations.building.claim_guard import about, find_as_holder, held, keep_alive
from pendesk.operations.building.results import ClarificationResult, advisory, clarification_result, take_news
from pendesk.operations.fields import BriefRev, ClaimId, IdempotencyKey, Ident, Message
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import clarifications
from pendesk.store.actions import Standing


class AnswerClarification(Input):
    clarification_pid: Annotated[Ident, Meta(description="The pid that request_clarification gave.")]
    answer: Annotated[Message, Meta(description="The user's answer, in their words or faithfully put.")]
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, asked: AnswerClarification) -> ClarificationResult:
    standing, question = find_question(call, asked.clarification_pid)
    if asked.claim_id is not None:
        late: dict[str, object] = {"clarification": question.id, "answer": asked.answer}
        standing = held(call, standing, asked.claim_id, ("clarification.answered", late), after_review=True)
    claim = standing.claim
    if claim is not None and is_live(claim, call.now) and claim.user_id != call.actor.user_id:
        raise HeldByAnother(
            f"{standing.ref} is held by {standing.holder}; only they relay answers to it. "
            "A person may answer it in the web app.",
            holder=standing.holder,
        )
    check_open(question)
    answered = question._replace(
        answer=asked.answer,
        answered_by=call.actor.user_id,
        answered_at=call.now,
        answered_door=call.actor.door,
        relayed=1,
    )
    clarifications.save_answer(call.tx, answered)
    data: dict[str, object] = {"answer": asked.answer, "relayed": True, "news": asked.answer}
    call.record(about(standing, "clarification.answered", data, question.id), claim.agent_model if claim else None)
    result = clarification_result(answered)
    if claim is not None and claim.user_id == call.actor.user_id:
        keep_alive(call, standing, claim)
        result.advisory = advisory(standing, claim, asked.brief_rev)
        result.news = take_news(call, standing)
    return result


def find_question(call: Call, ident: str) -> tuple[Standing, Clarification]:
    """The question and its action, which is locked first: every write takes its locks in that order."""
    pid = parse_id(ident)
    action_id = clarifications.action_of(call.tx, pid) if pid else None
    if pid is None or action_id is None:
        raise NotFound("clarification", ident)
    standing = find_as_holder(call, action_id)
    question = clarifications.by_id(call.tx, pid)
    assert question is not None
    return standing, question


OPERATION = Operation(
    name="answer_clarification",
    title="Relay an answer",
    description=(
        "Record the answer that the user gave you in the chat to a question from request_clarification. Never answer "
        "your own question; what a person answers in Pendesk reaches you as news. Returns the clarification, answered "
        "and marked as relayed by you; submission is free again. Refused: 404 no such question, 422 answered already "
        "(use that answer), 403 another holds the action."
    ),
    input=AnswerClarification,
    output=ClarificationResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
