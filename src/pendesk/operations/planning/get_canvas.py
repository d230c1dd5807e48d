"""get_canvas: the tasks of a project where they stand, and what connects them."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code
from pendesk.domain.layout import lay_out
from pendesk.domain.limits import CANVAS_NODES
from pendesk.domain.project import Project
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.planning.create_edge import EdgeResult, edge_result
from pendesk.operations.planning.find import find_project
from pendesk.store import canvas, edges


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


def run(call: Call, asked: GetCanvas) -> Canvas:
    return drawn(call, find_project(call, asked.project_id))


def drawn(call: Call, project: Project) -> Canvas:
    found = canvas.places(call.tx, project.id, CANVAS_NODES + 1)
    shown = found[:CANVAS_NODES]
    ids = {one.id for one in shown}
    automatic = lay_out(tuple(one.id for one in shown), tuple(edges.order_of_project(call.tx, project.id))).places
    return Canvas(
        project_id=project.id,
        nodes=[
            CanvasNode(
                id=one.id,
                ref_code=ref_code(project.key, one.ref_number),
                label=one.label,
                status=one.state,
                x=automatic[one.id].x if one.x is None else one.x,
                y=automatic[one.id].y if one.y is None else one.y,
                placed=one.x is not None and one.y is not None,
            )
            for one in shown
        ],
        edges=[
            edge_result(one)
            for one in edges.of_project(call.tx, project.id)
            if one.from_action_id in ids and one.to_action_id in ids
        ],
        layout="manual" if any(one.x is not None for one in shown) else "automatic",
        complete=len(found) <= CANVAS_NODES,
    )


OPERATION = Operation(
    name="get_canvas",
    title="Read a project's canvas",
    description=(
        "Every task of a project with its place, and the edges between them. A task that nobody has placed stands "
        "where the automatic layout puts it. Move tasks with put_canvas. Refused: 404 no such project."
    ),
    input=GetCanvas,
    output=Canvas,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.SCAN,
    run=run,
)
