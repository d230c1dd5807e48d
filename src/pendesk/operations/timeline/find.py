"""The filters of the log, as a caller gives them."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.errors import BadField
from pendesk.domain.event_filter import EventFilter, expand_kind_patterns
from pendesk.domain.limits import MODEL_CHARS
from pendesk.operations.actions.find import find_action
from pendesk.operations.fields import Ident, Kinds
from pendesk.operations.operation import Call, Input
from pendesk.operations.projects.find import find_project


class LogFilters(Input):
    """The filters of the log, wherever it is read."""

    project_id: Annotated[Ident, Meta(description="Only this project's events: its pid or key.")] | None = None
    action_pid: Annotated[Ident, Meta(description="Only this action's events: its pid or ref code.")] | None = None
    user_pid: Annotated[Ident, Meta(description="Only what this user did: their pid.")] | None = None
    model: Annotated[str, Meta(max_length=MODEL_CHARS, description="Only by this agent model.")] = ""
    kind: Kinds = []


def event_filter_of(call: Call, args: LogFilters) -> EventFilter:
    if args.project_id is not None and args.action_pid is not None:
        raise BadField("action_pid", "give either project_id or action_pid, not both.")
    return EventFilter(
        project_id=find_project(call, args.project_id).id if args.project_id is not None else "",
        action_id=find_action(call, args.action_pid).action.id if args.action_pid is not None else "",
        actor_id=args.user_pid or "",
        agent_model=args.model,
        kinds=expand_kind_patterns(args.kind, "kind"),
    )
