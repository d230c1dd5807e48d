"""GET /search: what holds the words, in every project. The palette shows the same results, and takes them from here."""

from typing import Any

from pendesk.domain.search import split_into_search_words as words_in
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    words = view.query_param("q")
    if words is None or not words_in(words):
        return {"words": words or "", "results": [], "note": None, "choices": await _load_choices(view)}
    page = await view.call(
        "search",
        query=words,
        kind=view.query_param("kind"),
        status=view.query_param("state"),
        project_id=view.query_param("project"),
        user_pid=view.query_param("who"),
    )
    choices = await _load_choices(view) if view.is_full_page else None
    return {"words": words, "results": page.results, "note": page.note, "choices": choices}


async def _load_choices(view: View) -> dict[str, list[tuple[str, str]]]:
    """What a result can be filtered by; a part of a page that is loaded with every letter has them already."""
    projects = (await view.call("list_projects")).projects
    members = (await view.call("list_members")).members
    return {
        "projects": [(project.key, project.name) for project in projects],
        "people": [(member.user_id, member.name) for member in members],
    }


PAGE = Page("/search", "search.html", load)
