"""remove_edge: two actions no longer have to do with each other."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.edge import Edge, choose_only_edge
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.event import Event
from pendesk.ids import parse_id
from pendesk.operations.actions.create_edge import EdgeResult, edge_result
from pendesk.operations.actions.find import find_action
from pendesk.operations.fields import IdempotencyKey, Ident, TaskId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import edges, projects


class RemoveEdge(Input):
    edge_id: Annotated[Ident, Meta(description="From get_task; or give both ends.")] | None = None
    from_task_id: TaskId | None = None
    to_task_id: TaskId | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: RemoveEdge) -> EdgeResult:
    projects.lock(call.tx, _find_edge(call, args).project_id)
    edge = _find_edge(call, args)
    edges.remove(call.tx, edge.id)
    event_data: dict[str, object] = {"from": edge.from_action_id, "to": edge.to_action_id, "label": edge.label}
    call.record(
        Event("edge.removed", edge.id, edge.project_id, action_id=edge.after_id or edge.from_action_id, data=event_data)
    )
    return edge_result(edge)


def _find_edge(call: Call, args: RemoveEdge) -> Edge:
    ends = args.from_task_id, args.to_task_id
    if args.edge_id is not None and ends == (None, None):
        return _find_edge_by_id(call, args.edge_id)
    if args.edge_id is None and args.from_task_id is not None and args.to_task_id is not None:
        return _find_edge_by_ends(call, args.from_task_id, args.to_task_id)
    raise BadField("edge_id", "name the edge either by edge_id or by from_task_id and to_task_id together.")


def _find_edge_by_ends(call: Call, from_task_id: str, to_task_id: str) -> Edge:
    source, target = find_action(call, from_task_id).action, find_action(call, to_task_id).action
    matches = edges.between(call.tx, source.id, target.id)
    if not matches:
        raise NotFound("edge", f"{from_task_id} -> {to_task_id}")
    return choose_only_edge(matches)


def _find_edge_by_id(call: Call, edge_id: str) -> Edge:
    pid = parse_id(edge_id)
    edge = edges.by_id(call.tx, pid) if pid else None
    if edge is None:
        raise NotFound("edge", edge_id)
    return edge


OPERATION = Operation(
    name="remove_edge",
    title="Remove an edge",
    description=(
        "Remove the connection between two tasks; what waited because of it waits no longer. Refused: 422 several "
        "lead from one to the other (named: give edge_id)."
    ),
    input=RemoveEdge,
    output=EdgeResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
