"""get_canvas: the tasks of a project where they stand, and what connects them."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState, ref_code, status_of_task
from pendesk.domain.limits import GRAPH_NODES
from pendesk.domain.project import Project
from pendesk.operations.actions.create_edge import EdgeResult, edge_result
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.operations.projects.graph import Position, load_task_graph_with_layout
from pendesk.store import canvas


class GetCanvas(Input):
    project_id: ProjectId


class CanvasNode(Output):
    """placed: somebody put it there; else the place is the automatic one."""

    id: str
    ref_code: str
    label: str
    status: str
    x: float
    y: float
    placed: bool


class Canvas(Output):
    """layout: manual where somebody has placed a task, else automatic. complete: false where there are too many."""

    project_id: str
    nodes: list[CanvasNode]
    edges: list[EdgeResult]
    layout: str
    complete: bool


def run(call: Call, args: GetCanvas) -> Canvas:
    return canvas_of(call, find_project(call, args.project_id))


def canvas_of(call: Call, project: Project) -> Canvas:
    places = canvas.tasks(call.tx, project.id, GRAPH_NODES + 1)
    drawn_places = places[:GRAPH_NODES]
    graph = load_task_graph_with_layout(call, drawn_places)
    return Canvas(
        project_id=project.id,
        nodes=[_to_canvas_node(project, place, graph.position_by_id[place.id]) for place in drawn_places],
        edges=[edge_result(edge) for edge in graph.edges],
        layout="manual" if any(spot.placed for spot in graph.position_by_id.values()) else "automatic",
        complete=len(places) <= GRAPH_NODES,
    )


def _to_canvas_node(project: Project, task: canvas.CanvasTask, position: Position) -> CanvasNode:
    return CanvasNode(
        id=task.id,
        ref_code=ref_code(project.key, task.ref_number),
        label=task.label,
        status=status_of_task(ActionState(task.state)),
        x=position.x,
        y=position.y,
        placed=position.placed,
    )


OPERATION = Operation(
    name="get_canvas",
    title="Read a project's canvas",
    description=(
        "Every task of a project with its place, and the edges between them. A task that nobody has placed is "
        "where the automatic layout puts it. Move tasks with put_canvas. Refused: 404 no such project."
    ),
    input=GetCanvas,
    output=Canvas,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.HEAVY_READ,
    run=run,
)
