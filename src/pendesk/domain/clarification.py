"""A blocking question on an action, and its answer."""

from typing import NamedTuple

from pendesk.domain.errors import RuleBroken


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


def check_open(clarification: Clarification) -> None:
    if clarification.answer is not None:
        raise RuleBroken(
            "This question is answered already. Read the answer in get_action_brief; "
            "ask a new question if it leaves something open.",
            code="already_answered",
            person="This question is answered already. Load the page again to read the answer.",
            answer=clarification.answer,
        )


def check_none_open(open_questions: list[Clarification]) -> None:
    if open_questions:
        raise RuleBroken(
            f"Questions on this action that are still open: {len(open_questions)}. They block the submission. "
            "Ask the user, record the answers with answer_clarification, then submit again.",
            code="open_clarifications",
            clarifications=[{"pid": one.id, "question": one.question} for one in open_questions],
        )
