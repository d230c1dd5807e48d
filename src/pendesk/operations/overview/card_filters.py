"""What a board, a list or a flow is narrowed to."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain.assignee import ME, NOBODY
from pendesk.domain.due_date import today, week_from
from pendesk.domain.limits import AREA_CHARS, LABEL_NAME_CHARS, QUERY_CHARS
from pendesk.domain.project import Project
from pendesk.ids import parse_ref_code_key_and_number
from pendesk.operations.actions.action_fields import caller_identity
from pendesk.operations.fields import Ident, ProjectId
from pendesk.operations.operation import Call, Input
from pendesk.store import board
from pendesk.store.board import CardQuery

Mark = Literal["blocked", "waiting", "expired", "changes"]
Due = Literal["overdue", "week", "none"]


class CardFilters(Input):
    """What a board, or a list, is narrowed to."""

    project_id: ProjectId
    query: Annotated[str, Meta(max_length=QUERY_CHARS, description="Words of the label, or a ref code.")] = ""
    area: Annotated[str, Meta(max_length=AREA_CHARS)] = ""
    holder: Annotated[Ident, Meta(description="Who has it: a user's pid, or none.")] | None = None
    spec_id: Annotated[Ident, Meta(description="Of this spec: its pid, or none.")] | None = None
    mark: Annotated[Mark, Meta(description="Only what is blocked, waits for an answer, ...")] | None = None
    assignee: (
        Annotated[Ident, Meta(description="Whose it is to do: a member's or agent's pid, me, or none.")] | None
    ) = None
    label: Annotated[str, Meta(max_length=LABEL_NAME_CHARS)] = ""
    due: Annotated[Due, Meta(description="overdue, within a week, or without a date.")] | None = None


def card_query_from_filters(call: Call, project: Project, filters: CardFilters) -> CardQuery:
    words = filters.query.strip().lower()
    ref = parse_ref_code_key_and_number(filters.query)
    day = today(call.now)
    return CardQuery(
        project_id=project.id,
        words=f"%{board.escape_pattern(words)}%" if words else "",
        number=ref[1] if ref and ref[0] == project.key else -1,
        area=filters.area,
        holder=filters.holder or "",
        spec=filters.spec_id or "",
        mark=filters.mark or "",
        label=board.label_pattern(filters.label),
        due=filters.due or "",
        today=day,
        week_end=week_from(day),
        **_assignee_filter(call, filters.assignee),
    )


def _assignee_filter(call: Call, assignee: str | None) -> dict[str, str]:
    if assignee is None:
        return {}
    if assignee == ME:
        caller = caller_identity(call)
        return {"assigned": "any", "assignee_user": caller.user_id, "assignee_agent": caller.agent_id or ""}
    if assignee in NOBODY:
        return {"assigned": "none"}
    return {"assigned": "any", "assignee_user": assignee, "assignee_agent": assignee}
