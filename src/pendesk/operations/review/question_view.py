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


def asked_row(one: Clarification, traced: list[Trace], faces: Faces) -> AskedRow:
    return AskedRow(
        pid=one.id,
        question=excerpt(one.question),
        asked_at=to_iso(one.asked_at),
        who=faces.who(one.asked_by),
        criterion_ids=[trace.id for trace in traced if one.id in trace.questions],
        answer=excerpt(one.answer) if one.answer is not None else None,
        answered_at=iso(one.answered_at),
        answered_by=faces.who(one.answered_by),
        relayed=bool(one.relayed),
        written_back=one.written_back_revision is not None,
    )
