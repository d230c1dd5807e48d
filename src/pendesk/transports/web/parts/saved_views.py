"""The saved views that a board or a list offers, and the one that it shows."""

from typing import Any

from pendesk.domain.saved_view import ViewPage, saved_query
from pendesk.transports.web.parts.view import View


async def load_saved_views(view: View, project_key: str, page: ViewPage) -> dict[str, Any]:
    """`saved_view`: the one that the address names, of which it may ask for less or more by now."""
    if not view.is_full_page:
        return {}
    views = (await view.call("list_saved_views", project_id=project_key)).views
    pid = view.query_param("view")
    return {
        "saved_views": views,
        "saved_view": next((row for row in views if row.pid == pid and row.page == page), None),
        "view_page": page,
        "query_now": saved_query(page, view.request.url.query),
    }
