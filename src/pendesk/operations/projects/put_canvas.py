"""put_canvas: where tasks stand, all of them at once or none."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField
from pendesk.domain.event import Event
from pendesk.domain.event_data import CanvasArrangedData
from pendesk.domain.limits import GRAPH_NODES
from pendesk.domain.project import Project
from pendesk.operations.fields import Coordinate, IdempotencyKey, ProjectId, TaskId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.projects.get_canvas import Canvas, canvas_of
from pendesk.store import actions, canvas


class PlacedNode(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    id: TaskId
    x: Coordinate
    y: Coordinate


class PutCanvas(Input):
    project_id: ProjectId
    nodes: Annotated[list[PlacedNode], Meta(max_length=GRAPH_NODES, description="Those that move.")] = []
    layout: Annotated[Literal["manual", "automatic"], Meta(description="automatic: reset all places first.")] = "manual"
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: PutCanvas) -> Canvas:
    project = find_and_lock_project(call, args.project_id)
    places = _lock_tasks_and_map_node_by_task_id(call, project, args.nodes)
    if args.layout == "automatic":
        canvas.clear_positions(call.tx, project.id)
    for task_id, node in places.items():
        canvas.set_position(call.tx, task_id, node.x, node.y)
    data = CanvasArrangedData(tasks=len(places), layout=args.layout)
    if places or args.layout == "automatic":
        call.record(Event("canvas.arranged", project.id, project.id, data=data))
    return canvas_of(call, project)


def _lock_tasks_and_map_node_by_task_id(call: Call, project: Project, nodes: list[PlacedNode]) -> dict[str, PlacedNode]:
    resolved = [actions.resolve_id(call.tx, node.id) for node in nodes]
    task_ids = canvas.lock_and_filter_project_task_ids(
        call.tx, project.id, [task_id for task_id in resolved if task_id]
    )
    places: dict[str, PlacedNode] = {}
    for index, (node, task_id) in enumerate(zip(nodes, resolved, strict=True)):
        if task_id is None or task_id not in task_ids:
            raise BadField(f"nodes[{index}].id", f"is no task of {project.key}. Nothing was moved.")
        if task_id in places:
            raise BadField(f"nodes[{index}].id", "is given twice; give it once. Nothing was moved.")
        places[task_id] = node
    return places


OPERATION = Operation(
    name="put_canvas",
    title="Move tasks on the canvas",
    description=(
        "Set the places of tasks, all of those named or none; the others stay where they are. layout automatic "
        "resets every place first. Gives the whole canvas. Edges have their own operations. Refused: 404 no such "
        "project, 422 a task that is not the project's."
    ),
    input=PutCanvas,
    output=Canvas,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.LONG_WRITE,  # the layout of all that is shown is reckoned anew
    run=run,
)
