"""What the board and the list filter cards by: the same words in the address, the same fields of the operation."""

from pendesk.transports.web.parts.view import View


def card_filters_from_query(view: View) -> dict[str, str | None]:
    return {
        "query": view.query_param("q"),
        "area": view.query_param("area"),
        "holder": view.query_param("holder"),
        "spec_id": view.query_param("spec"),
        "mark": view.query_param("mark"),
        "assignee": view.query_param("assignee"),
        "label": view.query_param("label"),
        "due": view.query_param("due"),
        "order": view.query_param("order"),
    }
