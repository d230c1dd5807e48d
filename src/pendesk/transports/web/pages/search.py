"""GET /search: what holds the words, in every project. The palette reads its twin."""

from typing import Any

from pendesk.domain.search import split_into_search_words as words_in
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    words = view.query_param("q")
    if words is None or not words_in(words):
        return {"words": words or "", "results": [], "note": None}
    page = await view.call("search", query=words, project_id=view.query_param("project"))
    return {"words": words, "results": page.results, "note": page.note}


PAGE = Page("/search", "search.html", load)
