"""A question on an action as its reviewer sees it."""

from pendesk.clock import to_iso
from pendesk.domain.clarification import Clarification
from pendesk.operations.operation import Output, iso
from pendesk.operations.review.author import Faces, Who
from pendesk.operations.review.traces import Trace, excerpt


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


def asked_row(question: Clarification, traced: list[Trace], faces: Faces) -> AskedRow:
    return AskedRow(
        pid=question.id,
        question=excerpt(question.question),
        asked_at=to_iso(question.asked_at),
        who=faces.who(question.asked_by),
        criterion_ids=[trace.id for trace in traced if question.id in trace.questions],
        answer=excerpt(question.answer) if question.answer is not None else None,
        answered_at=iso(question.answered_at),
        answered_by=faces.who(question.answered_by),
        relayed=bool(question.relayed),
        written_back=question.written_back_revision is not None,
    )
