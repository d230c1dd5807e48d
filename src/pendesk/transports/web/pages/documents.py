"""GET /p/{key}/documents: the documents of a project, as a tree."""

from typing import Any, NamedTuple

from pendesk.transports.web.parts.view import Page, View

MOST_PAGES = 20  # of 50: a tree needs them all


class DocumentNode(NamedTuple):
    document: Any
    children: list[Any]


async def load(view: View) -> dict[str, Any]:
    project = await view.call("get_project", project_id=view.path_param("key"))
    documents = await load_documents(view, project.pid)
    return {"project": project, "tree": build_tree(documents), "count": len(documents)}


async def load_documents(view: View, project_id: str) -> list[Any]:
    documents: list[Any] = []
    cursor = None
    for _ in range(MOST_PAGES):
        page = await view.call("list_documents", project_id=project_id, cursor=cursor)
        documents += page.documents
        cursor = page.next_cursor
        if cursor is None:
            break
    return documents


def build_tree(documents: list[Any]) -> list[DocumentNode]:
    """What stands under a document comes right below it; nothing is lost, whatever is shown of its parents."""
    pids = {document.pid for document in documents}
    children: dict[str | None, list[Any]] = {}
    for document in documents:
        children.setdefault(document.parent_id if document.parent_id in pids else None, []).append(document)

    def branches(parent: str | None) -> list[DocumentNode]:
        return [DocumentNode(document, branches(document.pid)) for document in children.get(parent, [])]

    return branches(None)


PAGE = Page("/p/{key}/documents", "documents.html", load)
