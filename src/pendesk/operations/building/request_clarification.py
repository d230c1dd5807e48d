"""request_clarification: ask instead of guessing."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.clarification import ask_question
from pendesk.domain.event_data import ClarificationAskedData
from pendesk.ids import new_id
from pendesk.operations.building.claim_guard import find_and_lock_held_action, renew_or_resume_claim_if_due
from pendesk.operations.building.results import (
    ClarificationResult,
    clarification_result,
    outdated_brief_advisory,
)
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Message
from pendesk.operations.messages.deliver import acknowledge_messages
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.session_news import pop_unread_news
from pendesk.store import clarifications

NEXT = (
    "Ask the user this same question in the chat and wait. Record what they say with answer_clarification. "
    "If it is answered in Pendesk instead, the answer comes as news with your next call."
)


class RequestClarification(Input):
    action_pid: ActionPid
    question: Annotated[
        Message,
        Meta(description="The whole question, understandable without this chat; offer choices if you can."),
    ]
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: RequestClarification) -> ClarificationResult:
    late = ClarificationAskedData(question=args.question)
    held = find_and_lock_held_action(call, args.action_pid, args.claim_id, ("clarification.asked", late))
    facts, claim = held
    acknowledge_messages(call, args.question)
    question, event = ask_question(facts.action, new_id(), args.question, call.actor.user_id, call.now)
    clarifications.add(call.tx, question)
    call.record(event, claim.agent_model)
    renew_or_resume_claim_if_due(call, facts, claim)
    result = clarification_result(call, question, NEXT)
    result.advisory = outdated_brief_advisory(call, facts, claim, args.brief_rev)
    result.news = pop_unread_news(call, facts)
    return result


OPERATION = Operation(
    name="request_clarification",
    title="Ask a blocking question",
    description=(
        "Record a question that the brief does not answer, instead of guessing. One question a call; not for what you "
        "can find out yourself. It blocks submission until it is answered. Next: ask the user the same in the chat, "
        "wait, then answer_clarification. Refused: 422 you do not hold the action, 409 your claim was lost (stop)."
    ),
    input=RequestClarification,
    output=ClarificationResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
