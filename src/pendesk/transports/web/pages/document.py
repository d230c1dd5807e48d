"""GET /documents/{document}: a document, and what people say about it."""

from typing import Any

from pendesk.transports.web.pages.documents import build_tree, load_documents
from pendesk.transports.web.parts.comment_thread import load_comments
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    document = await view.call("get_document", document_id=view.path_param("document"))
    project = await view.call("get_project", project_id=document.project_id)
    documents = await load_documents(view, project.pid)
    shows_resolved = view.query_param("resolved") is not None
    by_pid = {other.pid: other for other in documents}
    return {
        "own_address": f"/documents/{document.ref_code or document.pid}",
        "document": document,
        "project": project,
        "parent": by_pid.get(document.parent_id),
        "tree": build_tree(documents),
        "parents": [(other.pid, other.title) for other in documents if other.pid != document.pid],
        "comments": await _load_comments(view, document, include_resolved=shows_resolved),
        "shows_resolved": shows_resolved,
    }


async def _load_comments(view: View, document: Any, *, include_resolved: bool) -> list[Any]:
    """In the order of the text; those on the whole document, or whose passage is gone, come first."""
    comments = await load_comments(view, document.project_id, document.pid, include_resolved=include_resolved)
    return sorted(comments, key=lambda comment: -1 if comment.passage_start is None else comment.passage_start)


PAGE = Page("/documents/{document}", "document.html", load)
