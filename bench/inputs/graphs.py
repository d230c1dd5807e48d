"""Graphs of actions: layout, order, cycles, faults of a plan."""

from functools import partial
from itertools import pairwise
from random import Random

from bench.inputs.case import case, repeated
from pendesk.domain.edge import find_any_cycle
from pendesk.domain.exchange.plan import ImportPlan, Task, TaskLink
from pendesk.domain.insights import FinishedAction, agent_model_stats
from pendesk.domain.layout import Edge, lay_out_graph
from pendesk.domain.limits import (
    ACTION_EDGES,
    FOREIGN_TASKS,
    GRAPH_NODES,
    LABEL_CHARS,
    MIRROR_EDGES,
    SCAFFOLD_EDGES,
)
from pendesk.domain.next_task import OpenTask, TaskGraph
from pendesk.domain.plan_errors import PlannedEdge, find_plan_faults
from pendesk.operations.sharing.mirror_flow import lay_out_flow_graph
from pendesk.operations.sharing.mirror_json import ShownLink, ShownProject, ShownStep
from pendesk.transports.web.parts.flow_drawing import wrap_label


def ids(size: int) -> tuple[str, ...]:
    return tuple(map(str, range(size)))


def long_edges(size: int) -> tuple[Edge, ...]:
    """One line of actions, and as many edges over half of it as each action may have."""
    line = list(pairwise(ids(size)))
    half = size // 2
    over = [(str(at), str(at + half - step)) for at in range(half) for step in range(min(ACTION_EDGES - 2, half - 1))]
    return tuple(line + over)


def two_layers(size: int) -> tuple[Edge, ...]:
    half, random = size // 2, Random(1)
    edges_per_action = min(ACTION_EDGES, half)
    return tuple((str(at), str(half + to)) for at in range(half) for to in random.sample(range(half), edges_per_action))


def lay_out_anew(nodes: tuple[str, ...], edges: tuple[Edge, ...]) -> object:
    lay_out_graph.cache_clear()
    return lay_out_graph(nodes, edges)


def picture(size: int) -> ShownProject:
    """Of another server: a line of actions and long edges over it."""
    steps = [
        ShownStep(ref=ref, label=ref, area="", status="todo", spec="", criteria_done=0, criteria_total=0)
        for ref in ids(GRAPH_NODES)
    ]
    line = [ShownLink(from_ref=first, to_ref=second, label="blocks") for first, second in pairwise(ids(GRAPH_NODES))]
    ends = [(first, GRAPH_NODES - 1 - last) for first in range(50) for last in range(50)]
    over = [ShownLink(from_ref=str(first), to_ref=str(last), label="blocks") for first, last in ends]
    return ShownProject(
        name="", description="", status="", counts={}, goals=[], specs=[], actions=steps, edges=(line + over)[:size],
        documents=[], left_out=0,
    )  # fmt: skip


def show_picture(project: ShownProject) -> object:
    lay_out_graph.cache_clear()
    return lay_out_flow_graph(project)


def choose(size: int) -> object:
    tasks = [OpenTask(str(number), number, "") for number in range(size)]
    edges = [(str(number), str(number + 1 + step)) for number in range(size - 50) for step in range(48)]
    starts = [(f"start {number}", "0") for number in range(40)]
    tasks += [OpenTask(first, size + number, "") for number, (first, _) in enumerate(starts)]
    return TaskGraph(tasks, edges + starts)


def planned_edges(size: int) -> list[PlannedEdge]:
    half = size // 2
    line = [PlannedEdge(str(at), str(at + 1), "blocks") for at in range(half)]
    return line + [PlannedEdge(str(at), "0", "blocks") for at in range(half)]


def parts_that_wait(size: int) -> ImportPlan:
    """Every task is a part of the next one and waits for it."""
    plan = ImportPlan("")
    for number in range(size):
        plan.add_task(Task(str(number), "", "", "", "todo"))
        plan.add_task_link(TaskLink(str(number), str(number + 1), "feeds", ""))
        plan.add_task_link(TaskLink(str(number), str(number + 1), "depends_on", ""))
    return plan


def finished(size: int) -> list[FinishedAction]:
    return [FinishedAction(str(number), 0, 1, f"model {number}", None) for number in range(size)]


CASES = [
    case("layout", "500 actions in a line, edges over half of it", GRAPH_NODES, lay_out_anew, ids, long_edges),
    case("layout", "two layers of 250, 50 edges each", GRAPH_NODES, lay_out_anew, ids, two_layers),
    case("layout of guests", "a picture of long edges", MIRROR_EDGES, show_picture, picture),
    case("flow labels", "a label of dashes", LABEL_CHARS, wrap_label, repeated("-")),
    case("flow labels", "a label of letters and dashes", LABEL_CHARS, wrap_label, repeated("a-")),
    case("next task", "10,000 actions, 48 edges each", 10_000,
         lambda order: order.choose_next_task(order.tasks), choose),
    case("plan faults", "500 edges that all close a cycle", SCAFFOLD_EDGES,
         lambda keys, edges: find_plan_faults(keys, keys, edges, keys[:50], is_agent=True), ids, planned_edges),
    case("first loop", "a line of actions", FOREIGN_TASKS,
         lambda nodes: find_any_cycle({one: [two] for one, two in pairwise(nodes)}), ids),
    case("import: links", "20,000 parts that wait for their wholes", FOREIGN_TASKS,
         lambda plan: plan.repair_task_links(), parts_that_wait),
    case("insights", "20,000 actions, each done by another model", 20_000, partial(agent_model_stats, reviews=[]),
         finished),
]  # fmt: skip
