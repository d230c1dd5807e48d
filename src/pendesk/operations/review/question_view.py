"""A question on an action as its reviewer sees it."""

from pendesk.clock import to_iso
from pendesk.domain.clarification import Clarification
from pendesk.operations.operation import Output, to_iso_or_none
from pendesk.operations.review.author import Authors, Who
from pendesk.operations.review.traces import Trace, truncate_review_text


class AskedRow(Output):
    """relayed: the agent passed on what was said in chat."""

    pid: str
    question: str
    asked_at: str
    who: Who | None
    criterion_ids: list[str]
    answer: str | None = None
    answered_at: str | None = None
    answered_by: Who | None = None
    relayed: bool = False
    written_back: bool = False


def question_row(question: Clarification, traces: list[Trace], authors: Authors) -> AskedRow:
    return AskedRow(
        pid=question.id,
        question=truncate_review_text(question.question),
        asked_at=to_iso(question.asked_at),
        who=authors.author(question.asked_by),
        criterion_ids=[trace.id for trace in traces if question.id in trace.questions],
        answer=truncate_review_text(question.answer) if question.answer is not None else None,
        answered_at=to_iso_or_none(question.answered_at),
        answered_by=authors.author(question.answered_by),
        relayed=bool(question.relayed),
        written_back=question.written_back_revision is not None,
    )
