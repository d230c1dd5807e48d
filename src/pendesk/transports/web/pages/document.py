"""GET /documents/{document}: a document, and what people say about it."""

from typing import Any

from pendesk.transports.web.pages.documents import every_document, tree_of
from pendesk.transports.web.parts.view import Page, View

MOST_PAGES = 5


async def load(view: View) -> dict[str, Any]:
    document = await view.call("get_document", document_id=view.named("document"))
    project = await view.call("get_project", project_id=document.project_id)
    everything = await every_document(view, project.pid)
    by_pid = {one.pid: one for one in everything}
    return {
        "document": document,
        "project": project,
        "parent": by_pid.get(document.parent_id),
        "tree": tree_of(everything),
        "parents": [(one.pid, one.title) for one in everything if one.pid != document.pid],
        "comments": await _comments(view, document, resolved=view.asked("resolved") is not None),
        "shows_resolved": view.asked("resolved") is not None,
    }


async def _comments(view: View, document: Any, *, resolved: bool) -> list[Any]:
    """In the order of the text; those on the whole document, or that lost their place, come first."""
    found: list[Any] = []
    cursor = None
    for _ in range(MOST_PAGES):
        page = await view.call(
            "list_comments",
            project_id=document.project_id,
            document_id=document.pid,
            include_resolved=resolved,
            cursor=cursor,
        )
        found += page.comments
        cursor = page.next_cursor
        if cursor is None:
            break
    return sorted(found, key=lambda one: -1 if one.passage_start is None else one.passage_start)


PAGE = Page("/documents/{document}", "document.html", load)
