"""get_task: one task whole: what it asks for, what it waits for, who has it and how to take it."""

from collections.abc import Callable

import msgspec

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import CLOSED, Action, ActionState, ref_code, status_of_task
from pendesk.domain.availability import Availability
from pendesk.domain.claim import ActionFacts, ClaimState
from pendesk.domain.edge import Edge
from pendesk.domain.limits import LABEL_LISTED_CHARS, MESSAGE_CHARS, RUNS_SHOWN, TASK_DOCUMENTS_SHOWN
from pendesk.domain.review import Verdict
from pendesk.domain.run import run_status_or_stale
from pendesk.operations.actions.action_fields import AssigneeResult
from pendesk.operations.actions.find import find_action
from pendesk.operations.actions.next_task_advice import how_to_go_on, how_to_take_by_name
from pendesk.operations.actions.task_results import Task, task_result
from pendesk.operations.agent_answers import truncate_for_agent_or_read_rest
from pendesk.operations.availability import HeldBy, WaitsFor, availability_fields_of
from pendesk.operations.building.claim_guard import with_relation_to_caller
from pendesk.operations.fields import TaskId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.session_news import NewsItem
from pendesk.operations.truncate import RestField, Truncatable
from pendesk.store import criteria, documents, edges, people, reviews, runs, specs

OPEN_TO_CALLER = (Availability.FREE, Availability.CHANGES_REQUESTED)


class GetTask(Input):
    task_id: TaskId
    rest: RestField | None = None


class TaskCriterion(Output):
    id: str
    text: str
    status: str


class ConnectedTask(Output):
    """A task at the other end of an edge; edge is the edge's label, edge_id its pid."""

    edge_id: str
    edge: str
    ref_code: str
    label: str
    status: str


class LinkedDocument(Output):
    pid: str
    title: str
    status_line: str = ""


class TaskRun(Output):
    pid: str
    label: str
    user: str
    status: str
    last_sign_at: str


class RequestedChanges(Output):
    by: str
    text: str


class LeftBehind(Output):
    """The last words of who held it before."""

    agent: str
    text: str


class WholeTask(Truncatable):
    """requested_changes: what the last review asks for. prerequisites come before it, dependents after it; related is
    connected without an order. The rest of availability is as in a list of available work.
    """

    pid: str
    ref_code: str
    project_id: str
    label: str
    status: str
    availability: str
    description: str
    revision: int
    updated_at: str
    status_reason: str | None = None
    spec_id: str | None = None
    spec_title: str | None = None
    priority: int = 0
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    labels: list[str] = []
    x: float | None = None
    y: float | None = None
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    hand_over: bool = False
    next_step: str | None = msgspec.field(default=None, name="next_step")
    requested_changes: RequestedChanges | None = None
    left_behind: LeftBehind | None = None
    criteria: list[TaskCriterion] = []
    prerequisites: list[ConnectedTask] = []
    dependents: list[ConnectedTask] = []
    related: list[ConnectedTask] = []
    documents: list[LinkedDocument] = []
    runs: list[TaskRun] = []
    news: list[NewsItem] = []


def run(call: Call, args: GetTask) -> WholeTask:
    facts = find_action(call, args.task_id)
    answer = _whole_task(call, facts)
    emptied: dict[str, list[object]] = {name: [] for name in _LISTS}
    return truncate_for_agent_or_read_rest(call, answer, args.rest, description="", **emptied)


def _whole_task(call: Call, facts: ActionFacts) -> WholeTask:
    action = facts.action
    task_criteria = criteria.of_action(call.tx, action.id)
    task = task_result(call, action, facts.project_key, len(task_criteria))
    availability = availability_fields_of(call, [action.id])[action.id]
    prerequisites, dependents, related = _connected_tasks(call, facts)
    return WholeTask(
        **{name: getattr(task, name) for name in _SHARED},
        **availability,
        spec_title=_spec_title(call, action.spec_id),
        next_step=_next_step(call, availability["availability"], bool(task_criteria)),
        requested_changes=_requested_changes(call, action),
        left_behind=_left_behind(call, facts),
        criteria=[TaskCriterion(id=row.id, text=row.text, status=row.status) for row in task_criteria],
        prerequisites=prerequisites,
        dependents=dependents,
        related=related,
        documents=_linked_documents(call, action.id),
        runs=_newest_runs(call, action.id),
    )


_LISTS = ("criteria", "prerequisites", "dependents", "related", "documents", "runs")
_SHARED = set(Task.__struct_fields__) & set(WholeTask.__struct_fields__) - {"criteria", "next_step", "news"}


def _next_step(call: Call, availability: Availability, has_criteria: bool) -> str | None:
    if availability == Availability.MINE:
        return how_to_go_on(has_criteria)
    return how_to_take_by_name(call, has_criteria) if availability in OPEN_TO_CALLER else None


def _requested_changes(call: Call, action: Action) -> RequestedChanges | None:
    """While they are open: the first item stands for them, and the summary where there is none."""
    review = reviews.newest_review(call.tx, action.id) if action.state not in CLOSED else None
    if review is None or review.verdict != Verdict.CHANGES_REQUESTED:
        return None
    texts = [review.summary, *(item.text for item in reviews.items_of(call.tx, review.id))]
    name = people.names_by_user_id(call.tx, [review.reviewed_by]).get(review.reviewed_by, "")
    return RequestedChanges(by=name, text=" ".join(texts)[:MESSAGE_CHARS])


def _left_behind(call: Call, facts: ActionFacts) -> LeftBehind | None:
    claim = facts.claim
    if claim is None or claim.state == ClaimState.ACTIVE or not claim.last_message or facts.action.state in CLOSED:
        return None
    return LeftBehind(agent=with_relation_to_caller(call, facts).holder_label, text=claim.last_message)


def _spec_title(call: Call, spec_id: str | None) -> str | None:
    spec = specs.by_id(call.tx, spec_id) if spec_id else None
    return spec.title if spec else None


def _connected_tasks(call: Call, facts: ActionFacts) -> list[list[ConnectedTask]]:
    """What comes before it, what comes after it, and the rest."""
    rows = edges.of_action_with_other_end(call.tx, facts.action.id)

    def connected(belongs: Callable[[Edge], bool]) -> list[ConnectedTask]:
        return [
            ConnectedTask(
                edge_id=edge.id,
                edge=edge.label,
                ref_code=ref_code(facts.project_key, number),
                label=label[:LABEL_LISTED_CHARS],
                status=status_of_task(ActionState(state)),
            )
            for edge, number, label, state in rows
            if belongs(edge)
        ]

    ident = facts.action.id
    return [
        connected(lambda edge: edge.after_id == ident),
        connected(lambda edge: edge.before_id == ident),
        connected(lambda edge: edge.before_id is None),
    ]


def _linked_documents(call: Call, action_id: str) -> list[LinkedDocument]:
    linked = documents.linked_to_action(call.tx, action_id, TASK_DOCUMENTS_SHOWN)
    return [LinkedDocument(pid=row.id, title=row.title, status_line=row.status_line) for row in linked]


def _newest_runs(call: Call, action_id: str) -> list[TaskRun]:
    """Without what the agents themselves said came of them: that is for people to read."""
    newest = runs.newest_of_action(call.tx, action_id, RUNS_SHOWN)
    names = people.names_by_user_id(call.tx, sorted({row.user_id for row in newest}))
    return [
        TaskRun(
            pid=row.id,
            label=row.label,
            user=names.get(row.user_id, ""),
            status=run_status_or_stale(row, call.now),
            last_sign_at=to_iso(row.last_at),
        )
        for row in newest
    ]


OPERATION = Operation(
    name="get_task",
    title="Read a task",
    description=(
        "One task whole: text, criteria, prerequisites and dependents (edgeId), documents, runs, who holds it and "
        "how to take it (next_step)."
    ),
    input=GetTask,
    output=WholeTask,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
