"""GET /p/{key}/list: the actions of a project as a table; and as CSV."""

import csv
import io
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.saved_view import ViewPage
from pendesk.transports.web.pages.board import load_assignables
from pendesk.transports.web.parts.card_filters import card_filters_from_query
from pendesk.transports.web.parts.saved_views import load_saved_views
from pendesk.transports.web.parts.view import Page, View, create_view

COLUMNS = [
    "ref",
    "label",
    "state",
    "area",
    "priority",
    "assignee",
    "due",
    "labels",
    "spec",
    "holder",
    "agent_model",
    "criteria",
    "met",
    "blocked_by",
    "questions",
    "updated_at",
]
# What a spreadsheet takes for a formula when it stands first.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


async def load(view: View) -> dict[str, Any]:
    return {
        "cards": await load_cards(view),
        **await load_saved_views(view, view.path_param("key"), ViewPage.LIST),
        **({"assignables": await load_assignables(view)} if view.is_full_page else {}),
    }


async def load_cards(view: View) -> Any:
    return await view.call(
        "list_cards",
        project_id=view.path_param("key"),
        **card_filters_from_query(view),
        state=view.query_param("state"),
    )


async def get_csv(request: Request) -> Response:
    view = await create_view(request)
    cards = await load_cards(view)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([_escape_spreadsheet_formula(value) for value in _csv_row(card)] for card in cards.cards)
    name = f'attachment; filename="{cards.project.key}.csv"'
    return Response(text.getvalue(), headers={"Content-Disposition": name}, media_type="text/csv; charset=utf-8")


def _csv_row(card: Any) -> list[Any]:
    holder = card.holder
    return [
        card.ref_code,
        card.label,
        card.state,
        card.area,
        card.priority_name,
        card.assignee.name if card.assignee else "",
        card.due or "",
        ", ".join(card.labels),
        card.spec_title or "",
        holder.name if holder else "",
        (holder.agent_model if holder else "") or "",
        card.criteria,
        card.criteria_done,
        card.blocked,
        card.waiting,
        card.updated_at,
    ]


def _escape_spreadsheet_formula(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


PAGE = Page("/p/{key}/list", "card_list.html", load, follows_log=True)
