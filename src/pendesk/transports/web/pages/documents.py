"""GET /p/{key}/documents: the documents of a project, as a tree."""

from typing import Any, NamedTuple

from pendesk.transports.web.parts.view import Page, View

MOST_PAGES = 20  # of 50: a tree needs them all


class Branch(NamedTuple):
    document: Any
    under: list[Any]


async def load(view: View) -> dict[str, Any]:
    project = await view.call("get_project", project_id=view.named("key"))
    found = await every_document(view, project.pid)
    return {"project": project, "tree": tree_of(found), "count": len(found)}


async def every_document(view: View, project_id: str) -> list[Any]:
    found: list[Any] = []
    cursor = None
    for _ in range(MOST_PAGES):
        page = await view.call("list_documents", project_id=project_id, cursor=cursor)
        found += page.documents
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


def tree_of(found: list[Any]) -> list[Branch]:
    """What stands under a document comes right below it; nothing is lost, whatever is shown of its parents."""
    shown = {one.pid for one in found}
    children: dict[str | None, list[Any]] = {}
    for one in found:
        children.setdefault(one.parent_id if one.parent_id in shown else None, []).append(one)

    def branches(parent: str | None) -> list[Branch]:
        return [Branch(one, branches(one.pid)) for one in children.get(parent, [])]

    return branches(None)


PAGE = Page("/p/{key}/documents", "documents.html", load)
