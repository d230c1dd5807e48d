"""list_tasks: the tasks of a project as summaries, filtered."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action, TaskStatus, ref_code, states_of_task_status, status_of_task
from pendesk.domain.assignee import ME, NOBODY, UNASSIGNED, Assignee
from pendesk.domain.limits import (
    LABEL_LISTED_CHARS,
    LABEL_NAME_CHARS,
    PAGE_ROWS,
    QUERY_CHARS,
    TASK_MATCHES_LOOKED_AT,
    WAITING_ON_SHOWN,
)
from pendesk.domain.priority import priority_level
from pendesk.domain.project import Project
from pendesk.domain.search import query_words
from pendesk.operations.actions.action_fields import (
    AssigneeField,
    assignee_results,
    caller_identity,
    find_assignable,
    labels_of,
)
from pendesk.operations.agent_answers import is_agent_call
from pendesk.operations.availability import RelatedAction, availability_fields, related_actions
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_within_token_limit, parse_cursor_after_id
from pendesk.operations.projects.find import find_project
from pendesk.operations.session_news import NewsItem
from pendesk.store import search, specs, tasks
from pendesk.store.board import label_pattern
from pendesk.store.tasks import TaskQuery


class ListTasks(Input):
    project_id: ProjectId
    status: Annotated[TaskStatus, Meta(description="Only these.")] | None = None
    label: Annotated[str, Meta(max_length=LABEL_NAME_CHARS, description="One of its labels.")] | None = None
    assignee: Annotated[AssigneeField, Meta(description="A name or email, me, or none.")] | None = None
    text: Annotated[str, Meta(max_length=QUERY_CHARS, description="Words in its texts.")] | None = None
    cursor: PageCursor | None = None


class TaskSummary(Output):
    """An agent names it by its ref code. availability: where it says more than the status. spec: the spec's title."""

    ref_code: str
    label: str
    status: str
    priority: str = "none"
    availability: str | None = None
    assignee: str | None = None
    due: str | None = None
    labels: list[str] = []
    spec: str | None = None
    held_by: str | None = None
    waits_for: list[str] = []
    pid: str | None = None


class Tasks(Output):
    tasks: list[TaskSummary]
    next_cursor: str | None = None
    news: list[NewsItem] = []


def run(call: Call, args: ListTasks) -> Tasks:
    project = find_project(call, args.project_id)
    rows, next_cursor = _rows_and_next_cursor(call, project, args)
    to_summary = _Summaries(call, project, rows).summary_of
    page, cursor_within_page = page_within_token_limit(call, rows, to_summary, lambda action: action.id)
    return Tasks(tasks=page, next_cursor=cursor_within_page or next_cursor)


def _rows_and_next_cursor(call: Call, project: Project, args: ListTasks) -> tuple[list[Action], str | None]:
    """PAGE_ROWS + 1 where there are so many. With filters only some are looked at for one page: where none of them fits
    there may be more behind them.
    """
    query = TaskQuery(project.id, label=label_pattern(args.label or ""), **_assignee_filter(call, args.assignee))
    states = states_of_task_status(args.status) if args.status is not None else None
    after = parse_cursor_after_id(args.cursor)
    if args.text is None:
        return tasks.page_and_last_looked_at(call.tx, query, states, after, PAGE_ROWS + 1)
    words = query_words(args.text, "text")
    matches, more = search.next_action_ids(call.tx, words, project.id, after, TASK_MATCHES_LOOKED_AT)
    return tasks.among(call.tx, query, states, matches)[: PAGE_ROWS + 1], more


def _assignee_filter(call: Call, name: str | None) -> dict[str, str]:
    """For an agent, what is assigned to its user is its own as well."""
    if name is None:
        return {}
    assignee = Assignee(*caller_identity(call)) if name.strip().lower() == ME else _find_assignee(call, name)
    ids = {"assignee_user": assignee.user_id or "", "assignee_agent": assignee.agent_id or ""}
    return {"assigned": "none" if assignee == UNASSIGNED else "any", **ids}


def _find_assignee(call: Call, name: str) -> Assignee:
    plain = " ".join(name.split())
    return UNASSIGNED if plain.lower() in NOBODY else find_assignable(call, plain).assignee


class _Summaries:
    """What the rows of a page are shown with, read once for all of them."""

    def __init__(self, call: Call, project: Project, rows: list[Action]) -> None:
        self._project_key = project.key
        self._is_agent = is_agent_call(call)
        self._related: Mapping[str, RelatedAction] = related_actions(call, [row.id for row in rows])
        self._fields = availability_fields(call, self._related.values())
        self._assignees = assignee_results(call, [row.assignee for row in rows], with_pid=False)
        spec_ids = sorted({row.spec_id for row in rows if row.spec_id})
        self._spec_titles = {spec.id: spec.title for spec in specs.by_ids(call.tx, spec_ids)} if spec_ids else {}

    def summary_of(self, action: Action) -> TaskSummary:
        status = status_of_task(action.state)
        availability, fields = self._related[action.id].availability, self._fields[action.id]
        assignee = self._assignees.get(action.assignee)
        spec_title = self._spec_titles.get(action.spec_id or "")
        return TaskSummary(
            ref_code=ref_code(self._project_key, action.ref_number),
            label=action.label[:LABEL_LISTED_CHARS],
            status=status,
            priority=priority_level(action.priority),
            availability=None if availability.value == status.value else availability,
            assignee=assignee.name if assignee else None,
            due=action.due_on,
            labels=labels_of(action.labels),
            spec=spec_title[:LABEL_LISTED_CHARS] if spec_title else None,
            held_by=fields["held_by"].agent if fields["held_by"] else None,
            waits_for=[wait.ref_code for wait in fields["waits_for"][:WAITING_ON_SHOWN] if wait.ref_code],
            pid=None if self._is_agent else action.id,
        )


OPERATION = Operation(
    name="list_tasks",
    title="List tasks",
    description=(
        "Summaries of a project's tasks, oldest first, with availability: free can be taken now. get_task has one "
        "whole, get_next_task chooses for you."
    ),
    input=ListTasks,
    output=Tasks,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
