"""list_messages: what people wrote to agents, and whether they have read it."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField
from pendesk.domain.limits import PAGE_ROWS
from pendesk.ids import parse_id
from pendesk.operations.actions.find import find_action
from pendesk.operations.fields import ActionPid, ProjectId
from pendesk.operations.messages.find import check_one_recipient
from pendesk.operations.messages.message_results import MessageResult, message_results
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_and_next_cursor
from pendesk.operations.projects.find import find_project
from pendesk.operations.sessions.find import AgentSessionId, find_agent_session
from pendesk.store import agent_sessions, messages
from pendesk.store.messages import MessageRow

_FROM_NEWEST = (2**53, "")


class ListMessages(Input):
    agent_session_id: Annotated[AgentSessionId, Meta(description="Those that this agent session reads.")] | None = None
    action_pid: ActionPid | None = None
    project_id: Annotated[ProjectId, Meta(description="To the project and to its actions.")] | None = None
    cursor: PageCursor | None = None


class Messages(Output):
    """readers: of a project, the agent sessions at work in it, which a message to all of them reaches now."""

    messages: list[MessageResult]
    readers: list[str] = []
    next_cursor: str | None = None


def run(call: Call, args: ListMessages) -> Messages:
    check_one_recipient(args.agent_session_id, args.action_pid, args.project_id)
    rows = _page(call, args, _time_and_id_of_cursor(call, args.cursor))
    page, next_cursor = page_and_next_cursor(rows, PAGE_ROWS, lambda row: row.message.id)
    return Messages(messages=message_results(call, page), readers=_readers(call, args), next_cursor=next_cursor)


def _readers(call: Call, args: ListMessages) -> list[str]:
    if args.project_id is None:
        return []
    project = find_project(call, args.project_id)
    return [session.label for session in agent_sessions.at_work_in_project(call.tx, project.id)]


def _page(call: Call, args: ListMessages, before: tuple[int, str]) -> list[MessageRow]:
    if args.agent_session_id is not None:
        session = find_agent_session(call, args.agent_session_id)
        return messages.page_of_session(call.tx, session.id, before, PAGE_ROWS + 1)
    if args.action_pid is not None:
        action = find_action(call, args.action_pid).action
        return messages.page_of_action(call.tx, action.id, before, PAGE_ROWS + 1)
    return messages.page_of_project(call.tx, find_project(call, args.project_id or "").id, before, PAGE_ROWS + 1)


def _time_and_id_of_cursor(call: Call, cursor: str | None) -> tuple[int, str]:
    if cursor is None:
        return _FROM_NEWEST
    pid = parse_id(cursor)
    row = messages.by_id(call.tx, pid) if pid else None
    if row is None:
        raise BadField("cursor", "is not a nextCursor of this list; leave it out to start at the beginning.")
    return row.message.sent_at, row.message.id


OPERATION = Operation(
    name="list_messages",
    title="List messages to agents",
    description=(
        "What people wrote to an agent session, to an action's agent or to a project's agents, the newest first: who "
        "wrote it, and which sessions have read and acknowledged it."
    ),
    input=ListMessages,
    output=Messages,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
