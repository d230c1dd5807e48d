"""get_flow: a project as a graph: its actions, what comes before what, and where each stands in the picture."""

from itertools import pairwise

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState
from pendesk.domain.edge import Edge
from pendesk.domain.limits import GRAPH_NODES
from pendesk.domain.next_task import OpenTask, TaskGraph
from pendesk.domain.prerequisite import is_resolved
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.overview.get_board import Card, to_cards
from pendesk.operations.projects.find import find_project
from pendesk.operations.projects.graph import Graph, Position, load_task_graph_with_layout
from pendesk.operations.projects.results import ProjectResult, project_result
from pendesk.store import board, projects
from pendesk.store.board import CardQuery


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

    past: what comes first is resolved. bends: where it goes by other actions; none where one of its ends was moved by
    hand.
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
    """count: of all actions; nodes are what is open, and the newest of what is not."""

    project: ProjectResult
    count: int
    nodes: list[FlowNode]
    edges: list[FlowEdge]


class GetFlow(Input):
    project_id: ProjectId


def run(call: Call, args: GetFlow) -> Flow:
    project = find_project(call, args.project_id)
    chosen = board.cards_in_any_state(call.tx, CardQuery(project.id), "open", GRAPH_NODES)
    rows = sorted(chosen, key=lambda row: row.ref_number)
    graph = load_task_graph_with_layout(call, rows)
    resolved = {row.id for row in rows if is_resolved(ActionState(row.state), row.drop_accepted_at)}
    path = TaskGraph(
        [_to_open_task(row) for row in rows if row.id not in resolved], list(graph.order)
    ).critical_path_task_ids()
    critical, steps = set(path), set(pairwise(path))
    return Flow(
        project=project_result(project),
        count=sum(projects.action_counts_by_state(call.tx, project.id).values()),
        nodes=[
            _to_flow_node(card, graph.position_by_id[card.pid], card.pid in critical)
            for card in to_cards(call, project, rows)
        ],
        edges=[_to_flow_edge(edge, graph, resolved, steps) for edge in graph.edges],
    )


def _to_open_task(row: board.Card) -> OpenTask:
    return OpenTask(row.id, row.ref_number, row.label, row.priority, state=ActionState(row.state))


def _to_flow_node(card_view: Card, position: Position, on_critical_path: bool) -> FlowNode:
    return FlowNode(card=card_view, x=position.x, y=position.y, placed=position.placed, critical=on_critical_path)


def _to_flow_edge(
    edge: Edge, graph: Graph, resolved_ids: set[str], critical_path_steps: set[tuple[str, str]]
) -> FlowEdge:
    first, after = edge.before_id or edge.from_action_id, edge.after_id or edge.to_action_id
    return FlowEdge(
        pid=edge.id,
        before=first,
        after=after,
        label=edge.label,
        ordered=edge.before_id is not None,
        past=first in resolved_ids,
        critical=(first, after) in critical_path_steps,
        bends=[Bend(x=point.x, y=point.y) for point in graph.edge_bends(first, after)],
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
    kind=Kind.HEAVY_READ,
    run=run,
)
