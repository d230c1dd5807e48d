"""A value in an address's query that is refused (a bookmark of another version, a typing mistake) is left out, and the
page says so: what the rest of the address asks for is there.
"""

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response

from pendesk.domain.errors import BadField, NotFound, Refusal
from pendesk.transports.web.parts.flash import set_flash

if TYPE_CHECKING:
    from pendesk.transports.web.parts.view import View

SHOWN_CHARS = 60
# Field of the operation -> name in the query, where they differ.
_QUERY_NAMES = {
    "query": "q",
    "spec_id": "spec",
    "project_id": "project",
    "action_pid": "action",
    "user_pid": "who",
    "agent_model": "model",
}


def redirect_without_refused_filter(view: "View", refusal: Refusal) -> Response | None:
    """None where it was not the query that is refused."""
    name = _refused_name(refusal)
    value = view.query_param(name)
    if value is None or not view.is_full_page:
        return None
    response = RedirectResponse(view.url_with(**{name: None}), 303)
    shown = value if len(value) <= SHOWN_CHARS else f"{value[:SHOWN_CHARS]}…"
    set_flash(
        view.request, response, f"The address asked for {name} “{shown}”, which is not known here. It was left out."
    )
    return response


def _refused_name(refusal: Refusal) -> str:
    if isinstance(refusal, NotFound):
        return refusal.noun
    field = str(refusal.details["field"]).partition(".")[0] if isinstance(refusal, BadField) else ""
    return _QUERY_NAMES.get(field, field)
