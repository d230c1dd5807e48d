"""The comments on one record, for the page that shows it."""

from typing import Any

from pendesk.transports.web.parts.view import View

MOST_PAGES = 5  # a thread has no more


async def load_comments(view: View, project_id: str, commented_id: str, *, include_resolved: bool = True) -> list[Any]:
    """The oldest first; with resolved ones also those that were deleted."""
    comments: list[Any] = []
    cursor = None
    for _ in range(MOST_PAGES):
        page = await view.call(
            "list_comments",
            project_id=project_id,
            document_id=commented_id,
            include_resolved=include_resolved,
            cursor=cursor,
        )
        comments += page.comments
        cursor = page.next_cursor
        if cursor is None:
            break
    return comments
