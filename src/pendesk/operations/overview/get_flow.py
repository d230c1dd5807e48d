"""get_flow: a project as a graph: its actions, what comes before what, and where each stands in the picture."""

from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import CLOSED, ActionState
from pendesk.domain.edge import Edge
from pendesk.domain.limits import FLOW_CLUSTERS, FLOW_NODES, GRAPH_NODES
from pendesk.domain.next_task import OpenTask, TaskGraph
from pendesk.domain.prerequisite import is_resolved
from pendesk.domain.project import Project
from pendesk.operations.fields import Ident, ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.overview.flow_clusters import Bend, ClusterEdge, FlowCluster, load_clusters
from pendesk.operations.overview.get_board import Card, Named, to_cards
from pendesk.operations.projects.find import find_project
from pendesk.operations.projects.graph import Graph, Position, load_task_graph_with_layout
from pendesk.operations.projects.results import ProjectResult, project_result
from pendesk.store import board, flow_clusters, projects, specs
from pendesk.store.board import CardQuery

NO_SPEC_PID = "none"


class FlowNode(Output):
    """placed: by hand. critical: in the longest line of work that is left."""

    card: Card
    x: float
    y: float
    placed: bool
    critical: bool


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
    """count: of all actions; fitting: of those that were asked for, of which nodes are the open ones first, then the
    newest. Grouped, they come as clusters, a spec each. done: whether closed actions are among them.
    """

    project: ProjectResult
    count: int
    fitting: int
    done: str
    nodes: list[FlowNode]
    edges: list[FlowEdge]
    specs: list[Named]
    clusters: list[FlowCluster] = []
    cluster_edges: list[ClusterEdge] = []


class GetFlow(Input):
    project_id: ProjectId
    spec_id: Annotated[Ident, Meta(description="Only of this spec: its pid, or none.")] | None = None
    done: (
        Annotated[
            Literal["shown", "hidden"],
            Meta(description="Whether closed actions are shown; hidden by default where all are too many to read."),
        ]
        | None
    ) = None
    group: (
        Annotated[
            Literal["action", "spec"],
            Meta(description="One node for each action, or for each spec; that by default where they are too many."),
        ]
        | None
    ) = None


def run(call: Call, args: GetFlow) -> Flow:
    project = find_project(call, args.project_id)
    flow = Flow(
        project=project_result(project),
        count=sum(projects.action_counts_by_state(call.tx, project.id).values()),
        fitting=0,
        done=args.done or "shown",
        nodes=[],
        edges=[],
        specs=_specs_to_choose(call, project, args.spec_id),
    )
    if args.spec_id is not None and args.spec_id != NO_SPEC_PID:
        _fill_with_spec(call, project, flow, args.spec_id)
    else:
        _fill_with_project(call, project, flow, args)
    return flow


def _fill_with_spec(call: Call, project: Project, flow: Flow, spec_id: str) -> None:
    rows = flow_clusters.action_ids_and_states_of_spec(call.tx, project.id, spec_id)
    ids = [ident for ident, state in rows if flow.done == "shown" or state not in CLOSED]
    flow.fitting = len(ids)
    _draw_actions(call, project, flow, board.cards_by_ids(call.tx, ids[:GRAPH_NODES]))


def _fill_with_project(call: Call, project: Project, flow: Flow, args: GetFlow) -> None:
    query = CardQuery(project.id, spec=args.spec_id or "")
    counts = board.counts_by_state(call.tx, query)
    if args.done is None and sum(counts.values()) > FLOW_NODES:
        flow.done = "hidden"
    flow.fitting = sum(count for state, count in counts.items() if flow.done == "shown" or state not in CLOSED)
    if args.spec_id is None and (args.group == "spec" or (args.group is None and flow.fitting > FLOW_NODES)):
        flow.clusters, flow.cluster_edges = load_clusters(call, project.id, with_closed=flow.done == "shown")
    elif flow.fitting:
        # What is open comes first, so of the hidden none is read.
        most = min(flow.fitting, GRAPH_NODES)
        _draw_actions(call, project, flow, board.cards_in_any_state(call.tx, query, "open", most))


def _specs_to_choose(call: Call, project: Project, spec_id: str | None) -> list[Named]:
    """With the one that is shown, however many there are."""
    titles = dict(board.spec_ids_and_titles(call.tx, project.id, FLOW_CLUSTERS))
    if spec_id is not None and spec_id not in (NO_SPEC_PID, *titles):
        spec = specs.by_id(call.tx, spec_id)
        titles |= {spec.id: spec.title} if spec is not None and spec.project_id == project.id else {}
    return [Named(pid=pid, name=title) for pid, title in titles.items()]


def _draw_actions(call: Call, project: Project, flow: Flow, chosen: list[board.Card]) -> None:
    rows = sorted(chosen, key=lambda row: row.ref_number)
    graph = load_task_graph_with_layout(call, rows)
    resolved = {row.id for row in rows if is_resolved(ActionState(row.state), row.drop_accepted_at)}
    path = TaskGraph(
        [_to_open_task(row) for row in rows if row.id not in resolved], list(graph.order)
    ).critical_path_task_ids()
    critical, steps = set(path), set(pairwise(path))
    flow.nodes = [
        _to_flow_node(card, graph.position_by_id[card.pid], card.pid in critical)
        for card in to_cards(call, project, rows)
    ]
    flow.edges = [_to_flow_edge(edge, graph, resolved, steps) for edge in graph.edges]


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
        "laid out in layers, what comes first to the left. Where they are many, their specs instead, each with how far "
        "it is and what it waits for. Refused: 404 no such project."
    ),
    input=GetFlow,
    output=Flow,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.HEAVY_READ,
    run=run,
)
