"""answer_question: a person answers what an agent asked, and may write it back into the spec."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.claim import ActionFacts
from pendesk.domain.clarification import Clarification, answer_question_as_person, check_question_open
from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import LINE_CHARS
from pendesk.ids import parse_id
from pendesk.operations.building.answer_clarification import find_and_lock_clarification
from pendesk.operations.building.results import ClarificationResult, clarification_result
from pendesk.operations.fields import IdempotencyKey, Ident, Message
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.session_news import tell_holder
from pendesk.operations.specs.find import find_spec
from pendesk.operations.specs.update_spec import edit_spec
from pendesk.store import actions, clarifications, specs
from pendesk.store.engine.json_text import from_json

Part = Literal["results", "conditions", "boundaries"]


class AnswerQuestion(Input):
    clarification_pid: Ident
    answer: Message
    write_back: (
        Annotated[Part, Meta(description="Add question and answer to this part of the spec, as a new revision.")] | None
    ) = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: AnswerQuestion) -> ClarificationResult:
    if args.write_back is not None:
        _lock_spec_of_question(call, args.clarification_pid)
    facts, question = find_and_lock_clarification(call, args.clarification_pid)
    check_question_open(question)
    revision = (
        _append_answer_returning_revision(call, facts, question, args.answer, args.write_back)
        if args.write_back
        else None
    )
    answered, event = answer_question_as_person(facts.action, question, args.answer, call.actor, call.now, revision)
    clarifications.save_answer(call.tx, answered)
    event_id = call.record_returning_id(event)
    actions.set_newest_event_for_holder(call.tx, facts.action.id, event_id)
    tell_holder(call, facts.claim, event_id)
    return clarification_result(call, answered)


def _lock_spec_of_question(call: Call, question_id: str) -> None:
    """Before the action: every operation takes its locks in that order."""
    pid = parse_id(question_id)
    action_id = clarifications.action_id_of(call.tx, pid) if pid else None
    facts = actions.facts(call.tx, action_id) if action_id else None
    if facts is not None and facts.action.spec_id is not None:
        specs.lock(call.tx, facts.action.spec_id)


def _append_answer_returning_revision(
    call: Call, facts: ActionFacts, question: Clarification, answer: str, spec_part: Part
) -> int:
    if facts.action.spec_id is None:
        raise RuleBroken(
            f"{facts.ref} belongs to no spec, so there is nothing to write the answer into. Answer without it.",
            code="no_spec",
        )
    spec = find_spec(call, facts.action.spec_id)
    line = f"{question.question} {answer}"
    if len(line) > LINE_CHARS:
        raise RuleBroken(
            f"Question and answer together are longer than the {LINE_CHARS} characters a line of a spec may have. "
            "Only answer, and put the gist into the spec yourself.",
            code="too_long_to_write_back",
        )
    lines = [*from_json(getattr(spec, spec_part)), line]
    return edit_spec(call, spec, {spec_part: lines}).revision


OPERATION = Operation(
    name="answer_question",
    title="Answer a question",
    description=(
        "Answer a question that an agent asked on an action. The agent gets it with its next call. write_back also "
        "adds it to the spec; publish again to show that to agents. Refused: 422 answered already."
    ),
    input=AnswerQuestion,
    output=ClarificationResult,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
