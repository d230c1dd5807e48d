"""list_cards: the actions of a project as a table, narrowed and sorted."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ActionState
from pendesk.domain.limits import FACETS, LISTED_CARDS
from pendesk.operations.actions.action_fields import AssigneeResult
from pendesk.operations.operation import Call, Kind, Operation, Output
from pendesk.operations.overview.card_filters import CardFilters, card_query_from_filters
from pendesk.operations.overview.get_board import Card, Named, assignees_in_project, to_cards
from pendesk.operations.projects.find import find_project
from pendesk.operations.projects.results import ProjectResult, project_result
from pendesk.store import board

ListOrder = Literal["priority", "due", "newest", "ref", "label", "state"]


class ListCards(CardFilters):
    order: ListOrder = "ref"
    state: Annotated[ActionState, Meta(description="Only those in this state.")] | None = None


class Cards(Output):
    """count: of all that fit; cards are the first of them. newest_only: of what is done, and of what was dropped, only
    so many, the newest, were looked at.
    """

    project: ProjectResult
    count: int
    cards: list[Card]
    areas: list[str]
    holders: list[Named]
    specs: list[Named]
    assignees: list[AssigneeResult] = []
    labels: list[str] = []
    newest_only: int | None = None


def run(call: Call, args: ListCards) -> Cards:
    project = find_project(call, args.project_id)
    card_query = card_query_from_filters(call, project, args)
    counts = board.counts_by_state(call.tx, card_query)
    if args.state is None:
        rows = board.cards_in_any_state(call.tx, card_query, args.order, LISTED_CARDS)
    else:
        rows = board.cards_in_state(call.tx, card_query, args.state, args.order, LISTED_CARDS)
    windows = board.closed_windows(call.tx, card_query, args.order)
    areas, labels = board.distinct_areas_and_labels(call.tx, project.id, FACETS)
    return Cards(
        project=project_result(project),
        count=counts.get(args.state, 0) if args.state is not None else sum(counts.values()),
        cards=to_cards(call, project, rows),
        areas=areas,
        holders=[Named(pid=pid, name=name) for pid, name in board.holder_ids_and_names(call.tx, project.id, FACETS)],
        specs=[Named(pid=pid, name=title) for pid, title in board.spec_ids_and_titles(call.tx, project.id, FACETS)],
        assignees=assignees_in_project(call, project),
        labels=labels,
        newest_only=max((window for state, window in windows.items() if args.state in (None, state)), default=None),
    )


OPERATION = Operation(
    name="list_cards",
    title="See a project as a list",
    description=(
        "The actions of a project in one list, each with what a card shows, narrowed as a board is and sorted by ref, "
        "priority, due date, label, state or last change. Gives the first of them and how many there are. Refused: "
        "404 no such project."
    ),
    input=ListCards,
    output=Cards,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.HEAVY_READ,
    run=run,
)
