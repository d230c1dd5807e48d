"""get_board_changes: a board again, with only those cards filled that have changed since it was read."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import MOVES, ActionState, ref_code
from pendesk.domain.board_changes import ChangedActions, changed_actions
from pendesk.domain.claim import ClaimState, lease_liveness, sign_age
from pendesk.domain.due_date import today
from pendesk.domain.limits import (
    BOARD_BEHIND_LOOKED_AT,
    BOARD_CARDS,
    BOARD_CARDS_MOST,
    BOARD_CHANGES,
    BOARD_EVENTS_LOOKED_AT,
)
from pendesk.domain.project import Project
from pendesk.domain.task_moves import task_states_from
from pendesk.operations.operation import Call, Kind, Operation, Output
from pendesk.operations.overview.card_filters import card_query_from_filters
from pendesk.operations.overview.card_groups import Group, groups_of_cards
from pendesk.operations.overview.get_board import (
    STATES,
    Card,
    GetBoard,
    SpecOfBoard,
    column_order,
    newest_only_by_state,
    parse_column_limits,
    spec_of_board,
    to_cards,
)
from pendesk.operations.projects.find import find_project
from pendesk.operations.projects.results import ProjectResult, project_result
from pendesk.store import board, edges, events, overlaps
from pendesk.store.board import CardPlace, CardQuery

# A reader who lacks a card reads the board anew.
CAME_UP_MOST = 5


class GetBoardChanges(GetBoard, kw_only=True):
    after: Annotated[int, Meta(ge=0, le=2**53, description="The newest event's number before the board was read.")]
    read_at: Annotated[int, Meta(ge=0, le=2**53, description="When that was, in microseconds since 1970.")]


class Place(Output):
    pid: str
    ref_code: str


class ColumnPlaces(Output):
    """cards: the first of `count`, in order. The others as in a column of get_board."""

    state: str
    count: int
    cards: list[Place]
    more: bool
    moves: list[str]
    task_moves: list[str]
    newest_only: int | None = None


class BoardChanges(Output):
    """columns: left out where so much has changed that the board is to be read again. changed: those of their cards
    that are not as they were. spec, groups: as in get_board.
    """

    project: ProjectResult
    columns: list[ColumnPlaces] | None = None
    changed: list[Card] = []
    spec: SpecOfBoard | None = None
    groups: list[Group] | None = None


class _PlacedColumn(NamedTuple):
    state: ActionState
    total: int
    places: list[CardPlace]

    @property
    def has_more(self) -> bool:
        return len(self.places) < min(self.total, BOARD_CARDS_MOST)


def run(call: Call, args: GetBoardChanges) -> BoardChanges:
    project = find_project(call, args.project_id)
    changed = _changed_by_events(call, project, args)
    if changed is None:
        return BoardChanges(project=project_result(project))
    card_query = card_query_from_filters(call, project, args)
    columns = list(_place_columns(call, card_query, args))
    places = [place for column in columns for place in column.places]
    ids = _changed_ids(call, changed, places, args.read_at)
    shown = {place.id for place in places} & (ids | _may_have_come_up(columns, changed.spreading))
    if len(shown) > BOARD_CHANGES:
        return BoardChanges(project=project_result(project))
    windows = newest_only_by_state(call, card_query, args.order)
    return BoardChanges(
        project=project_result(project),
        columns=[_column_places(project, column, windows.get(column.state)) for column in columns],
        changed=to_cards(call, project, board.cards_by_ids(call.tx, shown)),
        spec=spec_of_board(call, project, args.spec_id),
        groups=groups_of_cards(call, args.group, [place.id for place in places]),
    )


def _changed_by_events(call: Call, project: Project, args: GetBoardChanges) -> ChangedActions | None:
    """None where any card may have changed: by what happened, by midnight, or because too much happened to look at."""
    if today(args.read_at) != today(call.now):
        return None
    happened = events.changes_after(call.tx, args.after, BOARD_EVENTS_LOOKED_AT + 1)
    changed = changed_actions(happened, project.id) if len(happened) <= BOARD_EVENTS_LOOKED_AT else None
    # What is free there depends on the files of all that is at work.
    if changed is None or (changed.spreading and project.refuse_overlap):
        return None
    return changed


def _place_columns(call: Call, card_query: CardQuery, args: GetBoardChanges) -> Iterator[_PlacedColumn]:
    counts = board.counts_by_state(call.tx, card_query)
    limits = parse_column_limits(args.shown)
    for state in STATES:
        count, order = counts.get(state, 0), column_order(state, args.order)
        limit = limits.get(state, BOARD_CARDS)
        places = board.places_in_state(call.tx, card_query, state, order, limit) if count else []
        yield _PlacedColumn(state, count, places)


def _changed_ids(call: Call, changed: ChangedActions, places: list[CardPlace], read_at: int) -> set[str]:
    """With what depends on it; and those whose lease was renewed, has aged or run out, of which no event tells."""
    limits = call.installation.limits
    ids, spreading = set(changed.ids), set(changed.spreading)
    for place in places:
        if place.claim_state != ClaimState.ACTIVE or place.renewed_at is None or place.expires_at is None:
            continue
        before, now = (lease_liveness(place.renewed_at, place.expires_at, at) for at in (read_at, call.now))
        aged = sign_age(place.renewed_at, read_at, limits) != sign_age(place.renewed_at, call.now, limits)
        if before != now or aged or place.renewed_at > read_at:
            ids.add(place.id)
        if "expired" in (before, now) and before != now:
            spreading.add(place.id)
    return ids | (_ids_that_show(call, spreading, places) if spreading else set())


def _ids_that_show(call: Call, spreading: set[str], places: list[CardPlace]) -> set[str]:
    """Whatever waits for any of them, or overlaps; all there are where that leads far."""
    behind = edges.ids_behind(call.tx, spreading, BOARD_BEHIND_LOOKED_AT)
    if len(behind) >= BOARD_BEHIND_LOOKED_AT:
        return {place.id for place in places}
    return behind | overlaps.ids_of_partners(call.tx, spreading)


def _may_have_come_up(columns: list[_PlacedColumn], spreading: frozenset[str]) -> set[str]:
    """Of a column that shows its first cards only: as many of the last as others may have left, where those are few."""
    ids: set[str] = set()
    for column in columns:
        left = len(spreading - {place.id for place in column.places}) if column.has_more else 0
        ids |= {place.id for place in column.places[-left:]} if 0 < left <= CAME_UP_MOST else set()
    return ids


def _column_places(project: Project, column: _PlacedColumn, newest_only: int | None) -> ColumnPlaces:
    return ColumnPlaces(
        state=column.state,
        count=column.total,
        cards=[Place(pid=place.id, ref_code=ref_code(project.key, place.ref_number)) for place in column.places],
        more=column.has_more,
        moves=list(MOVES[column.state]),
        task_moves=list(task_states_from(column.state)),
        newest_only=newest_only,
    )


OPERATION = Operation(
    name="get_board_changes",
    title="See what changed on a board",
    description=(
        "A board that was read before, as it is now: its columns with the places of their cards, and those cards "
        "that have changed. Without columns where so much has changed that get_board is to be called again. Refused: "
        "404 no such project."
    ),
    input=GetBoardChanges,
    output=BoardChanges,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
