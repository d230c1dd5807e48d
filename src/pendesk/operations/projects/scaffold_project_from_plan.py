"""scaffold_project_from_plan: a project with its tasks, their order and its documents, all of it or nothing.

Every fault of the plan is told at once: an agent that learns of one at a time sends a long plan many times.
"""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import TaskStatus
from pendesk.domain.edge import Edge, EdgeLabel, predecessor_and_successor
from pendesk.domain.errors import BadField
from pendesk.domain.plan_errors import Fault, PlannedEdge, find_plan_faults, raise_if_plan_faults
from pendesk.domain.priority import Level
from pendesk.ids import new_id
from pendesk.operations.actions import create_edge
from pendesk.operations.actions.action_fields import LabelName, read_planning_fields
from pendesk.operations.actions.create_edge import Style
from pendesk.operations.actions.create_task import CreateTask, create_task
from pendesk.operations.documents import create_document
from pendesk.operations.fields import Coordinate, IdempotencyKey, Label, Markdown, Name, StatusLine
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects import create_project

Key = Annotated[
    str,
    Meta(min_length=1, max_length=limits.SCAFFOLD_KEY_CHARS, description="A task's key."),
]


class _Part(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A part of the plan."""


class TaskOfPlan(_Part):
    key: Annotated[Key, Meta(description="Your name for it.")]
    label: Annotated[Label, Meta(description="One line.")]
    status: Annotated[TaskStatus, Meta(description="As in create_task.")] = TaskStatus.TODO
    description: Markdown = ""
    x: Coordinate | None = None
    y: Coordinate | None = None
    priority: Annotated[Level, Meta(description="How urgent.")] = "none"
    assignee: Annotated[str, Meta(max_length=limits.EMAIL_CHARS, description="Name, email or me.")] | None = None
    due: Annotated[str, Meta(max_length=limits.DATE_CHARS, description="YYYY-MM-DD.")] | None = None
    labels: Annotated[list[LabelName], Meta(max_length=limits.LIST_ITEMS, description="Names.")] | None = None


class EdgeOfPlan(_Part):
    source: Key = msgspec.field(name="from")
    target: Key = msgspec.field(name="to")
    label: Annotated[EdgeLabel, Meta(description="As in create_edge.")] = "blocks"
    style: Style | None = None


class DocumentOfPlan(_Part):
    title: Annotated[Label, Meta(description="One line.")]
    body: Markdown = ""
    status_line: StatusLine = ""
    link_to: Annotated[Key, Meta(description="A task's key.")] | None = None


class ScaffoldProjectFromPlan(Input):
    name: Annotated[Name, Meta(description="The project's name.")]
    tasks: Annotated[
        list[TaskOfPlan], Meta(max_length=limits.SCAFFOLD_TASKS, description="Small, each with a result to check.")
    ]
    description: Markdown = ""
    edges: Annotated[
        list[EdgeOfPlan], Meta(max_length=limits.SCAFFOLD_EDGES, description="What comes before what.")
    ] = []
    documents: Annotated[
        list[DocumentOfPlan], Meta(max_length=limits.SCAFFOLD_DOCUMENTS, description="The thinking behind it.")
    ] = []
    idempotency_key: IdempotencyKey | None = None

    @classmethod
    def field_problem_pairs_beyond_types(cls, decoded: Any) -> list[tuple[str, str]]:
        """What else is wrong with a plan that has broken parts; those parts themselves are passed over."""
        if not isinstance(decoded, dict):
            return []
        tasks, edges, documents = (
            _replace_non_dicts_with_empty(decoded.get(name)) for name in ("tasks", "edges", "documents")
        )
        faults = find_plan_faults(
            [_none_if_not_string(task.get("key")) for task in tasks],
            [_none_if_not_string(task.get("status")) for task in tasks],
            [
                PlannedEdge(
                    _none_if_not_string(edge.get("from")),
                    _none_if_not_string(edge.get("to")),
                    _none_if_not_string(edge.get("label", "blocks")),
                )
                for edge in edges
            ],
            [_none_if_not_string(document.get("link_to")) for document in documents],
            is_agent=False,
        )
        return [(fault.field, fault.problem) for fault in faults]


class Scaffolded(Output):
    """key_to_id: the pid of each task by its key in the plan."""

    pid: str
    key: str
    name: str
    tasks: int
    edges: int
    documents: int
    key_to_id: dict[str, str] = msgspec.field(name="key_to_id")


def run(call: Call, args: ScaffoldProjectFromPlan) -> Scaffolded:
    edges = list(dict.fromkeys(PlannedEdge(edge.source, edge.target, edge.label) for edge in args.edges))
    faults = find_plan_faults(
        [task.key for task in args.tasks],
        [task.status for task in args.tasks],
        [PlannedEdge(edge.source, edge.target, edge.label) for edge in args.edges],
        [document.link_to for document in args.documents],
        is_agent=call.actor.token_id is not None,
    )
    raise_if_plan_faults(faults + _planning_field_faults(call, args.tasks))
    project_input = create_project.CreateProject(name=args.name, description=args.description)
    project = create_project.run(call, project_input)
    ids = {task.key: _create_task_returning_id(call, project.pid, task) for task in args.tasks}
    styles = {PlannedEdge(edge.source, edge.target, edge.label): edge.style for edge in args.edges}
    for edge in edges:
        _create_edge(call, project.pid, ids, edge, styles[edge])
    for document in args.documents:
        _create_document(call, project.pid, ids, document)
    return Scaffolded(
        pid=project.pid,
        key=project.key,
        name=project.name,
        tasks=len(ids),
        edges=len(edges),
        documents=len(args.documents),
        key_to_id=ids,
    )


def _planning_field_faults(call: Call, tasks: list[TaskOfPlan]) -> list[Fault]:
    faults: list[Fault] = []
    for index, task in enumerate(tasks):
        try:
            read_planning_fields(call, task)
        except BadField as refusal:
            field = str(refusal.details["field"])
            faults.append(Fault(f"tasks[{index}].{field}", refusal.message.removeprefix(f"{field}: ")))
    return faults


def _create_task_returning_id(call: Call, project_id: str, planned_task: TaskOfPlan) -> str:
    task_input = CreateTask(
        project_id=project_id,
        label=planned_task.label,
        status=planned_task.status,
        description=planned_task.description,
        x=planned_task.x,
        y=planned_task.y,
        priority=planned_task.priority,
        assignee=planned_task.assignee,
        due=planned_task.due,
        labels=planned_task.labels,
    )
    return create_task(call, task_input).pid


def _create_edge(
    call: Call, project_id: str, task_id_by_key: dict[str, str], edge: PlannedEdge, style: str | None
) -> None:
    """Drawn without looking for a cycle each time: the whole plan has been looked at, and nobody else can see it."""
    source, target, label = task_id_by_key[edge.source or ""], task_id_by_key[edge.target or ""], edge.label or ""
    before, after = predecessor_and_successor(label, source, target)
    create_edge.add_edge_without_cycle_check(
        call, Edge(new_id(), project_id, source, target, label, style, before, after, "", 0)
    )


def _create_document(
    call: Call, project_id: str, task_id_by_key: dict[str, str], planned_document: DocumentOfPlan
) -> None:
    create_document.run(
        call,
        create_document.CreateDocument(
            project_id=project_id,
            title=planned_document.title,
            body=planned_document.body,
            status_line=planned_document.status_line,
            linked_task_id=task_id_by_key[planned_document.link_to] if planned_document.link_to is not None else None,
        ),
    )


def _replace_non_dicts_with_empty(value: Any) -> list[dict[str, Any]]:
    """As many as there are, so that the places stay right; what is no object is an empty one."""
    items = value if isinstance(value, list) else []
    return [item if isinstance(item, dict) else {} for item in items[: limits.SCAFFOLD_EDGES]]


def _none_if_not_string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


OPERATION = Operation(
    name="scaffold_project_from_plan",
    title="Create a project from a plan",
    description=(
        "Create a whole project in one call, tasks named by keys you choose: tasks [{key: db, label: Add a "
        "table}, ...], edges [{from: db, to: api}]. Agree on it with the user first. All or nothing. Gives "
        "key_to_id: each task's pid. Refused: 422 with every fault in faults[{field, problem}]: fix all, send "
        "again."
    ),
    input=ScaffoldProjectFromPlan,
    output=Scaffolded,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.LONG_WRITE,  # hundreds of rows, each with its event
    run=run,
)
