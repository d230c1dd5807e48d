"""remove_edge: two actions no longer have to do with each other."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.edge import Edge
from pendesk.domain.errors import NotFound
from pendesk.domain.event import Event
from pendesk.ids import parse_id
from pendesk.operations.actions.create_edge import EdgeResult, edge_result
from pendesk.operations.fields import IdempotencyKey, Ident
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import edges, projects


class RemoveEdge(Input):
    edge_id: Annotated[Ident, Meta(description="The edge's pid.")]
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: RemoveEdge) -> EdgeResult:
    projects.lock(call.tx, _find_edge(call, args.edge_id).project_id)
    edge = _find_edge(call, args.edge_id)
    edges.remove(call.tx, edge.id)
    event_data: dict[str, object] = {"from": edge.from_action_id, "to": edge.to_action_id, "label": edge.label}
    call.record(
        Event("edge.removed", edge.id, edge.project_id, action_id=edge.after_id or edge.from_action_id, data=event_data)
    )
    return edge_result(edge)


def _find_edge(call: Call, edge_id: str) -> Edge:
    pid = parse_id(edge_id)
    edge = edges.by_id(call.tx, pid) if pid else None
    if edge is None:
        raise NotFound("edge", edge_id)
    return edge


OPERATION = Operation(
    name="remove_edge",
    title="Remove an edge",
    description=(
        "Take away the connection between two tasks; what waited because of it waits no longer. The answer is the "
        "edge as it was. Refused: 404 no such edge."
    ),
    input=RemoveEdge,
    output=EdgeResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
