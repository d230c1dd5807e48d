"""get_flow: a project as a graph: its actions, what comes before what, and where each stands in the picture."""

from itertools import pairwise

from pendesk.domain.access import Role, Scope
from pendesk.domain.edge import Edge
from pendesk.domain.layout import Point, lay_out
from pendesk.domain.limits import FLOW_NODES
from pendesk.domain.next_task import Order
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.overview.get_board import Card, card
from pendesk.operations.planning.find import find_project
from pendesk.operations.planning.results import ProjectResult, project_result
from pendesk.store import actions, board, edges, projects
from pendesk.store.board import Looked


class FlowNode(Output):
    """placed: by hand. critical: in the longest line of work that is left."""

    card: Card
    x: float
    y: float
    placed: bool
    critical: bool


class Bend(Output):
    x: float
    y: float


class FlowEdge(Output):
    """before, after: the order that follows from the label; without one the ends are as they were drawn.

    past: what comes first is done. bends: where it goes by other actions; none where one of its ends was moved by hand.
    """

    pid: str
    before: str
    after: str
    label: str
    ordered: bool
    past: bool
    critical: bool
    bends: list[Bend]


class Flow(Output):
    """count: of all actions; nodes are the first of them."""

    project: ProjectResult
    count: int
    nodes: list[FlowNode]
    edges: list[FlowEdge]


class GetFlow(Input):
    project_id: ProjectId


def run(call: Call, asked: GetFlow) -> Flow:
    project = find_project(call, asked.project_id)
    found = board.listed(call.tx, Looked(project.id), "ref", FLOW_NODES)
    shown = {one.id: one for one in found}
    drawn = [
        one for one in edges.of_project(call.tx, project.id) if {one.from_action_id, one.to_action_id} <= set(shown)
    ]
    ordered = tuple((one.before_id, one.after_id) for one in drawn if one.before_id and one.after_id)
    layout = lay_out(tuple(shown), ordered)
    path = Order(actions.open_of_project(call.tx, project.id), list(ordered)).critical_path()
    steps = set(pairwise(path))
    return Flow(
        project=project_result(project),
        count=sum(projects.counts_by_state(call.tx, project.id).values()),
        nodes=[_node(card(one, project.key, call.now), one, layout.places[one.id], one.id in path) for one in found],
        edges=[_edge(one, shown, layout.bends, steps) for one in drawn],
    )


def _node(told: Card, one: board.Card, place: Point, critical: bool) -> FlowNode:
    placed = one.x is not None and one.y is not None
    x, y = (one.x, one.y) if one.x is not None and one.y is not None else place
    return FlowNode(card=told, x=x, y=y, placed=placed, critical=critical)


def _edge(
    one: Edge,
    shown: dict[str, board.Card],
    bends: dict[tuple[str, str], list[Point]],
    steps: set[tuple[str, str]],
) -> FlowEdge:
    first, after = one.before_id or one.from_action_id, one.after_id or one.to_action_id
    moved = shown[first].x is not None or shown[after].x is not None
    return FlowEdge(
        pid=one.id,
        before=first,
        after=after,
        label=one.label,
        ordered=one.before_id is not None,
        past=shown[first].state == "done",
        critical=(first, after) in steps,
        bends=[] if moved else [Bend(x=point.x, y=point.y) for point in bends.get((first, after), [])],
    )


OPERATION = Operation(
    name="get_flow",
    title="See a project as a graph",
    description=(
        "Actions with their place in the picture, the edges between them and the critical path. What nobody placed is "
        "laid out in layers, what comes first to the left. Refused: 404 no such project."
    ),
    input=GetFlow,
    output=Flow,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.SCAN,
    run=run,
)
