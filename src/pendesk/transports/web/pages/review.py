"""GET /a/{ref}/review: a submission, criterion by criterion, and the verdict on it."""

from typing import Any

from pendesk.transports.web.pages.change import load_change
from pendesk.transports.web.parts.field_names import FIELD_NAMES
from pendesk.transports.web.parts.view import Page, View

# A brief has the fields of its spec, its plan and its action.
BRIEF_FIELDS = {
    f"{part}.{name}": f"{text} ({part})" for part in ("spec", "plan", "action") for name, text in FIELD_NAMES.items()
}


async def load(view: View) -> dict[str, Any]:
    review = await view.call("get_review", action_id=view.path_param("ref"))
    # A page that is loaded anew keeps the lines that it shows.
    change = await load_change(view, review.ref_code, review.criteria, with_lines=not view.is_fragment)
    return {"review": review, "names": BRIEF_FIELDS, **change}


PAGE = Page("/a/{ref}/review", "review.html", load)
