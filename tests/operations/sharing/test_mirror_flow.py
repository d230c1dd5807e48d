"""The flow that guests see, out of a picture that may be anybody's."""

from collections.abc import Sequence

from pendesk.domain.limits import GRAPH_NODES
from pendesk.operations.sharing.mirror_flow import ShownFlow, lay_out_flow_graph
from pendesk.operations.sharing.mirror_json import ShownLink, ShownProject, ShownStep


def step(ref):
    status = "done" if ref == "A" else "todo"
    return ShownStep(ref=ref, label="x", area="", status=status, spec="", criteria_done=0, criteria_total=0)


def picture(refs, links):
    return ShownProject(
        name="x",
        description="",
        status="active",
        counts={},
        goals=[],
        specs=[],
        actions=[step(ref) for ref in refs],
        edges=[ShownLink(from_ref=first, to_ref=second, label=label) for first, label, second in links],
        documents=[],
        left_out=0,
    )


def drawn(refs: Sequence[str], links: list[tuple[str, str, str]]) -> ShownFlow:
    flow = lay_out_flow_graph(picture(refs, links))
    assert flow is not None
    return flow


def arrows(flow):
    return [(edge.before, edge.after, edge.ordered, edge.past) for edge in flow.edges]


def test_what_comes_first_stands_to_the_left_whichever_way_the_label_points():
    flow = drawn("ABC", [("A", "blocks", "B"), ("C", "depends_on", "B"), ("A", "supports", "C")])
    at = {node.ref: node.x for node in flow.nodes}
    assert at["A"] < at["B"] < at["C"]
    assert arrows(flow) == [("A", "B", True, True), ("B", "C", True, False), ("A", "C", False, True)]


def test_an_edge_goes_by_what_it_passes():
    flow = drawn("ABC", [("A", "blocks", "B"), ("B", "blocks", "C"), ("A", "blocks", "C")])
    assert [len(edge.bends) for edge in flow.edges] == [0, 0, 1]


def test_where_nothing_is_connected_there_is_no_picture():
    assert lay_out_flow_graph(picture("AB", [])) is None
    assert lay_out_flow_graph(picture("AB", [("A", "blocks", "A"), ("A", "blocks", "Z")])) is None


def test_a_circle_is_drawn_without_an_order():
    flow = drawn("AB", [("A", "blocks", "B"), ("B", "blocks", "A")])
    assert [edge.ordered for edge in flow.edges] == [False, False]
    assert len({(node.x, node.y) for node in flow.nodes}) == 2


def test_it_has_a_limit_and_no_action_twice():
    refs = [f"R{number}" for number in range(GRAPH_NODES + 10)]
    flow = drawn(["R0", *refs], [("R0", "blocks", "R1"), ("R0", "blocks", refs[-1])])
    assert len(flow.nodes) == len({node.ref for node in flow.nodes}) == GRAPH_NODES - 1
    assert [(edge.before, edge.after) for edge in flow.edges] == [("R0", "R1")]
