"""get_board: a project as a board, its cards state by state."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import CLOSED, MOVES, WITH_AGENT, ActionState, ref_code
from pendesk.domain.agent_session import session_label
from pendesk.domain.assignee import NOBODY, Assignee
from pendesk.domain.claim import ClaimState, expiry_iso, lease_liveness
from pendesk.domain.due_date import is_overdue, today
from pendesk.domain.limits import (
    BOARD_CARDS,
    BOARD_CARDS_MOST,
    FACETS,
    LABEL_LISTED_CHARS,
)
from pendesk.domain.priority import priority_level
from pendesk.domain.project import Project
from pendesk.domain.task_moves import task_states_from
from pendesk.operations.actions.action_fields import AssigneeResult, assignee_results, labels_of
from pendesk.operations.agent_visibility import HiddenFromAgents, hidden_by_action_id
from pendesk.operations.availability import AvailabilityFields, availability_fields, related_actions
from pendesk.operations.github.code_state import CodeState, code_state_by_action_id
from pendesk.operations.operation import Call, Kind, Operation, Output
from pendesk.operations.overlap_results import OverlapResult, overlaps_of_cards
from pendesk.operations.overview.card_filters import CardFilters, card_query_from_filters
from pendesk.operations.overview.card_groups import Group, GroupBy, groups_of_cards
from pendesk.operations.projects.find import find_project
from pendesk.operations.projects.results import ProjectResult, project_result
from pendesk.store import assignees, board, deviations, specs
from pendesk.store.board import CardQuery

Order = Literal["priority", "due", "newest", "ref"]
STATES: tuple[ActionState, ...] = tuple(ActionState)
# What is finished is looked for by when it was finished.
FINISHED = ("done", "wont_do")
_SHOWN = f"({'|'.join(STATES)}):[0-9]{{1,4}}"


class GetBoard(CardFilters):
    order: Order = "priority"
    group: Annotated[GroupBy, Meta(description="Which cards stand together in each column.")] | None = None
    shown: Annotated[
        str,
        Meta(
            max_length=200,
            pattern=rf"\A({_SHOWN}(,{_SHOWN})*)?\Z",
            description=f"Columns that show more than {BOARD_CARDS} cards: todo:100,done:150.",
        ),
    ] = ""


class Holder(Output):
    """Who holds it: an agent of the user, or the user in person. pulse: the state of the lease, and last_message what
    was reported last, in one line; both are left out once the work is submitted.
    """

    user_id: str
    name: str
    kind: str
    agent_model: str | None
    renewed_at: str
    expires_at: str | None
    pulse: str | None = None
    agent: str | None = None
    last_message: str | None = None


class Requested(Output):
    by: str
    text: str


class Card(AvailabilityFields, kw_only=True):
    """blocked: how many actions must be done first, of what is not done itself. waiting: how many questions are open.
    requested: the first change that a reviewer requested, where changes are. overlaps: others at work on the same
    files, where it is at work itself. overdue: it is open, and was due before today in UTC. code: the pull request and
    the checks of what was submitted last. deviations: how many are open, of what is in review.

    published: agents can see it; a todo that is not cannot be claimed. criteria_done: confirmed by a person,
    self-reported, or shown by a report or CI; what failed last is not among them.
    """

    pid: str
    ref_code: str
    label: str
    area: str
    state: str
    state_reason: str | None
    priority: int
    updated_at: str
    spec_id: str | None
    spec_title: str | None
    published: bool
    holder: Holder | None
    criteria: int
    criteria_done: int
    criteria_confirmed: int
    criteria_self_reported: int
    criteria_failing: int
    blocked: int
    waiting: int
    requested: Requested | None = None
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    overdue: bool = False
    labels: list[str] = []
    hidden_from_agents: HiddenFromAgents | None = None
    code: CodeState | None = None
    overlaps: list[OverlapResult] = []
    deviations: int = 0


class Column(Output):
    """cards: the first of `count`. more: others can be shown as well, see `shown`. newest_only: of what is closed only
    so many, the newest, were looked at for what fits and comes first.

    moves: where a person may put a card of this column; task_moves: one without criteria.
    """

    state: str
    count: int
    cards: list[Card]
    more: bool
    moves: list[str]
    task_moves: list[str]
    newest_only: int | None = None


class Named(Output):
    pid: str
    name: str


class SpecOfBoard(Named):
    actions: int
    actions_done: int


class Board(Output):
    """areas, holders, specs, assignees and labels are what the board can be narrowed to. spec: the one that it is
    narrowed to. groups: where `group` asked for them.
    """

    project: ProjectResult
    columns: list[Column]
    areas: list[str]
    holders: list[Named]
    specs: list[Named]
    assignees: list[AssigneeResult] = []
    labels: list[str] = []
    spec: SpecOfBoard | None = None
    groups: list[Group] | None = None


def run(call: Call, shown: GetBoard) -> Board:
    project = find_project(call, shown.project_id)
    card_query = card_query_from_filters(call, project, shown)
    counts = board.counts_by_state(call.tx, card_query)
    windows = newest_only_by_state(call, card_query, shown.order)
    limits = parse_column_limits(shown.shown)
    areas, labels = board.distinct_areas_and_labels(call.tx, project.id, FACETS)
    answer = Board(
        project=project_result(project),
        columns=[
            _load_board_column(
                call, project, card_query, state, counts.get(state, 0), shown.order, limits.get(state, BOARD_CARDS)
            )
            for state in STATES
        ],
        areas=areas,
        holders=[Named(pid=pid, name=name) for pid, name in board.holder_ids_and_names(call.tx, project.id, FACETS)],
        specs=[Named(pid=pid, name=title) for pid, title in board.spec_ids_and_titles(call.tx, project.id, FACETS)],
        assignees=assignees_in_project(call, project),
        labels=labels,
    )
    for column in answer.columns:
        column.newest_only = windows.get(column.state)
    answer.spec = spec_of_board(call, project, shown.spec_id)
    answer.groups = groups_of_cards(call, shown.group, [card.pid for column in answer.columns for card in column.cards])
    return answer


def spec_of_board(call: Call, project: Project, spec_id: str | None) -> SpecOfBoard | None:
    """None where it is not narrowed to one, or to one that is not there."""
    spec = specs.by_id(call.tx, spec_id) if spec_id and spec_id not in NOBODY else None
    if spec is None or spec.project_id != project.id:
        return None
    total, done = specs.total_and_done_actions_by_spec_id(call.tx, [spec.id]).get(spec.id, (0, 0))
    return SpecOfBoard(pid=spec.id, name=spec.title, actions=total, actions_done=done)


def assignees_in_project(call: Call, project: Project) -> list[AssigneeResult]:
    assigned = assignees.with_work_in_project(call.tx, project.id, FACETS)
    return [AssigneeResult(name=person.described, kind=person.kind, pid=person.pid) for person in assigned]


def newest_only_by_state(call: Call, card_query: CardQuery, order: Order) -> dict[str, int]:
    """Of the closed states of which not all is looked at. By priority, what is closed comes by its time."""
    return board.closed_windows(call.tx, card_query, "newest" if order == "priority" else order)


def parse_column_limits(shown_per_column: str) -> dict[str, int]:
    pairs = [pair.split(":") for pair in shown_per_column.split(",") if pair]
    return {state: min(max(int(number), BOARD_CARDS), BOARD_CARDS_MOST) for state, number in pairs}


def _load_board_column(
    call: Call, project: Project, card_query: CardQuery, state: ActionState, count: int, order: Order, limit: int
) -> Column:
    rows = board.cards_in_state(call.tx, card_query, state, column_order(state, order), limit) if count else []
    cards = to_cards(call, project, rows)
    more = len(cards) < min(count, BOARD_CARDS_MOST)
    return Column(
        state=state,
        count=count,
        cards=cards,
        more=more,
        moves=list(MOVES[state]),
        task_moves=list(task_states_from(state)),
    )


def column_order(state: ActionState, order: Order) -> Order:
    return "newest" if state in FINISHED and order == "priority" else order


def to_cards(call: Call, project: Project, rows: list[board.Card]) -> list[Card]:
    """What is closed needs no looking up: it is available to nobody."""
    open_actions = related_actions(call, [row.id for row in rows if row.state not in CLOSED]).values()
    fields = availability_fields(call, open_actions)
    for ident, hidden in hidden_by_action_id(call, open_actions).items():
        fields[ident]["hidden_from_agents"] = hidden
    for ident, shared in overlaps_of_cards(call, [row.id for row in rows if row.state in WITH_AGENT]).items():
        fields[ident]["overlaps"] = shared
    in_review = [row.id for row in rows if row.state == ActionState.IN_REVIEW]
    for ident, count in deviations.open_count_by_action_id(call.tx, in_review).items():
        fields[ident]["deviations"] = count
    assigned = assignee_results(call, [_assignee(row) for row in rows], with_pid=True)
    codes = code_state_by_action_id(call, [row.id for row in rows])
    return [
        _to_card(
            row,
            project.key,
            call.now,
            fields.get(row.id, {"availability": row.state})
            | {"assignee": assigned.get(_assignee(row)), "code": codes.get(row.id)},
        )
        for row in rows
    ]


def _assignee(row: board.Card) -> Assignee:
    return Assignee(row.assignee_user_id, row.assignee_agent_id)


def _to_card(row: board.Card, project_key: str, now: int, fields: dict[str, Any]) -> Card:
    return Card(
        pid=row.id,
        ref_code=ref_code(project_key, row.ref_number),
        label=row.label,
        area=row.area,
        state=row.state,
        state_reason=row.state_reason,
        priority=row.priority,
        updated_at=to_iso(row.updated_at),
        spec_id=row.spec_id,
        spec_title=row.spec_title,
        published=bool(row.published),
        holder=_claim_holder_of_card(row, now),
        criteria=row.criteria.total,
        criteria_done=row.criteria.met,
        criteria_confirmed=row.criteria.confirmed,
        criteria_self_reported=row.criteria.self_reported,
        criteria_failing=row.criteria.failing,
        blocked=0 if row.state in CLOSED else row.blocked,
        waiting=row.waiting,
        requested=_requested_change(row),
        priority_name=priority_level(row.priority),
        due=row.due_on,
        overdue=is_overdue(row.due_on, today(now), is_closed=row.state in CLOSED),
        labels=labels_of(row.labels),
        **fields,
    )


def _requested_change(card: board.Card) -> Requested | None:
    if card.requested is None:
        return None
    return Requested(by=card.requested.reviewer, text=card.requested.text[:LABEL_LISTED_CHARS])


def _claim_holder_of_card(card: board.Card, now: int) -> Holder | None:
    if card.holder_id is None or card.renewed_at is None or card.expires_at is None:
        return None
    at_work = card.claim_state == ClaimState.ACTIVE
    return Holder(
        user_id=card.holder_id,
        name=card.holder_name or "",
        kind=card.holder_kind or "person",
        agent_model=card.agent_model,
        agent=_agent_label(card),
        renewed_at=to_iso(card.renewed_at),
        expires_at=expiry_iso(card.expires_at),
        pulse=lease_liveness(card.renewed_at, card.expires_at, now) if at_work else None,
        last_message=" ".join(card.last_message.split())[:LABEL_LISTED_CHARS]
        if at_work and card.last_message
        else None,
    )


def _agent_label(card: board.Card) -> str | None:
    if not card.agent_name or not card.session_number:
        return None
    return session_label(card.agent_name, card.session_number, card.session_name or "")


OPERATION = Operation(
    name="get_board",
    title="See a project as a board",
    description=(
        "The actions of a project by state, each with what a card shows: who has it and how its lease is doing, "
        "criteria with evidence, what blocks it, open questions. Narrow it by words, area, holder, spec, mark, "
        "assignee, label or due. A "
        "column shows its first cards and how many there are. Refused: 404 no such project."
    ),
    input=GetBoard,
    output=Board,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.HEAVY_READ,
    run=run,
)
