"""create_edge: one action depends on another, or has to do with it."""

from collections import defaultdict
from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action, ref_code
from pendesk.domain.edge import (
    Edge,
    EdgeLabel,
    check_distinct_actions_of_project,
    check_edge_closes_no_cycle,
    predecessor_and_successor,
)
from pendesk.domain.event import Event
from pendesk.domain.limits import ACTION_EDGES, NAME_CHARS, ORDER_WALK_EDGES
from pendesk.domain.project import Project, check_count_below_limit
from pendesk.ids import new_id
from pendesk.operations.actions.find import find_action
from pendesk.operations.fields import IdempotencyKey, ProjectId, TaskId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.store import actions, edges
from pendesk.store.engine.tx import Row

Style = Annotated[str, Meta(max_length=NAME_CHARS, description="How it is drawn.")]


class CreateEdge(Input):
    project_id: ProjectId
    from_task_id: TaskId
    to_task_id: TaskId
    label: Annotated[
        EdgeLabel,
        Meta(description="depends_on: to comes first. clarifies, supports: no order. The others: from comes first."),
    ] = "blocks"
    style: Style | None = None
    idempotency_key: IdempotencyKey | None = None


class EdgeResult(Output):
    pid: str
    project_id: str
    from_task_id: str
    to_task_id: str
    label: str
    style: str | None
    comes_first: str | None
    comes_after: str | None


def run(call: Call, args: CreateEdge) -> EdgeResult:
    # The project's row is the lock of its order: two edges drawn at once could otherwise close a loop together.
    project = find_and_lock_project(call, args.project_id)
    source = find_action(call, args.from_task_id).action
    target = find_action(call, args.to_task_id).action
    return edge_result(find_or_create_edge(call, project, source, target, args.label, args.style))


def find_or_create_edge(
    call: Call, project: Project, source: Action, target: Action, label: EdgeLabel, style: str | None = None
) -> Edge:
    """The edge, drawn now or before; the project must be locked."""
    check_distinct_actions_of_project(project, source, target)
    known = edges.by_ends_and_label(call.tx, source.id, target.id, label)
    if known is not None:
        return known
    for end in (source, target):
        ref = ref_code(project.key, end.ref_number)
        check_count_below_limit(
            edges.count_from_or_to_action(call.tx, end.id),
            ACTION_EDGES,
            f"edges at {ref}",
            "Leave it out, or a person removes one of them first.",
        )
    before, after = predecessor_and_successor(label, source.id, target.id)
    if before is not None and after is not None:
        _check_edge_makes_no_cycle(call, project, before, after)
    return add_edge_without_cycle_check(
        call, Edge(new_id(), project.id, source.id, target.id, label, style, before, after, "", 0)
    )


def _check_edge_makes_no_cycle(call: Call, project: Project, first_id: str, later_id: str) -> None:
    """Among what comes behind the one or leads to the other, whichever is little. Where both are much, the database
    looks for a way by itself, and mostly finds none."""
    for walk, start in (
        (edges.downstream_before_after_id_pairs, later_id),
        (edges.upstream_before_after_id_pairs, first_id),
    ):
        walked = walk(call.tx, start, ORDER_WALK_EDGES)
        _raise_if_cycle(call, project, first_id, later_id, walked)
        if len(walked) < ORDER_WALK_EDGES:
            return
    call.require_worker_thread()
    if edges.is_reachable(call.tx, later_id, first_id):
        _raise_if_cycle(call, project, first_id, later_id, edges.downstream_before_after_id_pairs(call.tx, later_id))


def _raise_if_cycle(
    call: Call, project: Project, first_id: str, later_id: str, predecessor_successor_id_pairs: list[Row]
) -> None:
    follow: defaultdict[str, list[str]] = defaultdict(list)
    for first, following in predecessor_successor_id_pairs:
        follow[first].append(following)

    def name(ids: list[str]) -> list[str]:
        numbers = actions.ref_number_by_id(call.tx, ids)
        return [ref_code(project.key, numbers[action_id]) for action_id in ids]

    check_edge_closes_no_cycle(first_id, later_id, follow.__getitem__, name)


def add_edge_without_cycle_check(call: Call, edge: Edge) -> Edge:
    """Does not check for a cycle: the caller has."""
    edge = edge._replace(created_by=call.actor.user_id, created_at=call.now)
    edges.add(call.tx, edge)
    event_data: dict[str, object] = {"from": edge.from_action_id, "to": edge.to_action_id, "label": edge.label}
    call.record(
        Event("edge.created", edge.id, edge.project_id, action_id=edge.after_id or edge.from_action_id, data=event_data)
    )
    return edge


def edge_result(edge: Edge) -> EdgeResult:
    return EdgeResult(
        pid=edge.id,
        project_id=edge.project_id,
        from_task_id=edge.from_action_id,
        to_task_id=edge.to_action_id,
        label=edge.label,
        style=edge.style,
        comes_first=edge.before_id,
        comes_after=edge.after_id,
    )


OPERATION = Operation(
    name="create_edge",
    title="Connect two tasks",
    description=(
        "Say that a task comes before another, which then waits for it, or has to do with it. Refused: 422 it "
        "would close a cycle (named), or joins a task with itself or another project's."
    ),
    input=CreateEdge,
    output=EdgeResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
