"""A blocking question on an action, and its answer."""

from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.access import Actor
from pendesk.domain.action import Action, action_event
from pendesk.domain.errors import Advice, RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import ClarificationAnsweredData, ClarificationAskedData
from pendesk.domain.named_ids import list_ids_with_texts, shorten


class QuestionState(StrEnum):
    OPEN = "open"
    ANSWERED = "answered"


class Clarification(NamedTuple):
    id: str
    action_id: str
    question: str
    asked_by: str
    asked_at: int
    answer: str | None
    answered_by: str | None
    answered_at: int | None
    answered_door: str | None
    relayed: int
    written_back_revision: int | None

    @property
    def state(self) -> QuestionState:
        return QuestionState.OPEN if self.answer is None else QuestionState.ANSWERED


def ask_question(
    action: Action, question_id: str, question: str, asked_by: str, now: int
) -> tuple[Clarification, Event]:
    clarification = Clarification(
        id=question_id,
        action_id=action.id,
        question=question,
        asked_by=asked_by,
        asked_at=now,
        answer=None,
        answered_by=None,
        answered_at=None,
        answered_door=None,
        relayed=0,
        written_back_revision=None,
    )
    return clarification, action_event(
        action, "clarification.asked", ClarificationAskedData(question=question), question_id
    )


def answer_question_as_person(
    action: Action, question: Clarification, answer: str, actor: Actor, now: int, spec_revision_with_answer: int | None
) -> tuple[Clarification, Event]:
    """`spec_revision_with_answer` is the revision of the spec that the answer was written into."""
    check_question_open(question)
    answered = _with_answer(question, answer, actor, now)._replace(written_back_revision=spec_revision_with_answer)
    event_data = ClarificationAnsweredData(
        answer=answer, relayed=False, written_back_revision=spec_revision_with_answer, news=answer
    )
    return answered, action_event(action, "clarification.answered", event_data, question.id)


def record_answer_relayed_by_agent(
    action: Action, question: Clarification, answer: str, actor: Actor, now: int
) -> tuple[Clarification, Event]:
    """What a person answered in the chat, recorded by the agent."""
    check_question_open(question)
    answered = _with_answer(question, answer, actor, now)._replace(relayed=1)
    event_data = ClarificationAnsweredData(answer=answer, relayed=True, news=answer)
    return answered, action_event(action, "clarification.answered", event_data, question.id)


def _with_answer(question: Clarification, answer: str, actor: Actor, now: int) -> Clarification:
    return question._replace(answer=answer, answered_by=actor.user_id, answered_at=now, answered_door=actor.via)


def check_question_open(clarification: Clarification) -> None:
    if clarification.state == QuestionState.ANSWERED:
        raise RuleBroken(
            f"This question is answered already: {shorten(clarification.answer or '')}",
            code="already_answered",
            advice=(
                Advice("Work from that; get_action_brief has every answer.", ("get_action_brief",)),
                Advice("Work from that."),
            ),
            person_message="This question is answered already. Load the page again to read the answer.",
            answer=clarification.answer,
        )


def check_no_open_questions(questions: list[Clarification]) -> None:
    unanswered = [question for question in questions if question.state == QuestionState.OPEN]
    if unanswered:
        listed = list_ids_with_texts((question.id, question.question) for question in unanswered)
        raise RuleBroken(
            f"{len(unanswered)} open questions block the submission: {listed}. Ask your user.",
            code="open_clarifications",
            advice=(Advice("Record the answers with answer_clarification, then submit.", ("answer_clarification",)),),
            clarifications=[{"pid": question.id, "question": question.question} for question in unanswered],
        )
