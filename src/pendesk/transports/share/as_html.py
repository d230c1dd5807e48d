"""A share as a page. Everything in it was written by others, perhaps on another server: it is escaped, or Markdown that
lets no HTML through. A large project takes its time, so a page is made beside the event loop.
"""

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from pendesk.domain.limits import LABEL_CHARS, MESSAGE_CHARS, NAME_CHARS
from pendesk.operations.sharing.get_share import Shared
from pendesk.operations.sharing.mirror_json import ShownProject, ShownStep
from pendesk.transports.share.drafts import GuestRequestDraft
from pendesk.transports.share.words import STATUSES, relation_texts_by_action_ref, status_word
from pendesk.transports.web.parts.flow_drawing import HEIGHT, WIDTH, drawing_size, edge_svg_path, wrap_label
from pendesk.transports.web.parts.standalone_page import render_message_page
from pendesk.transports.web.parts.templating import format_exact_time_utc, render_with_markdown
from pendesk.transports.web.parts.theme import theme_of

PAGE_WIDTH = 920  # as in share.css
SMALLEST = 0.7
LIMITS = {"title": LABEL_CHARS, "body": MESSAGE_CHARS, "name": NAME_CHARS}


async def render_share_page(request: Request, shared: Shared, draft: GuestRequestDraft, status: int = 200) -> Response:
    context = {
        **_heading_context(shared),
        "theme": theme_of(request),
        "project": shared.project,
        "action": shared.action,
        "groups": _group_steps_by_status_word(shared.project) if shared.project else [],
        "flow": _flow_drawing_context(shared) if shared.flow else None,
        "links": relation_texts_by_action_ref(shared.project) if shared.project else {},
        "takes_items": shared.takes_items,
        "drawn_at": format_exact_time_utc(shared.drawn_at) if shared.drawn_at else "",
        "path": request.url.path,
        "draft": draft,
        "limits": LIMITS,
        "status_word": status_word,
        "label_lines": wrap_label,
    }
    return HTMLResponse(await render_with_markdown("share.html", in_thread=True, **context), status)


def render_share_not_found_page(request: Request, message: str) -> Response:
    return render_message_page(request, "Share link not found", message, status=404)


def _heading_context(shared: Shared) -> dict[str, Any]:
    if shared.project is not None:
        return {"title": shared.project.name, "beside": status_word(shared.project.status)}
    assert shared.action is not None
    action = shared.action
    beside = " · ".join(part for part in (action.project, status_word(action.status), action.area) if part)
    return {"title": f"{action.ref} {action.label}", "beside": beside}


def _flow_drawing_context(shared: Shared) -> dict[str, Any]:
    """A wide picture is made smaller as long as it can be read; beyond that it is scrolled."""
    assert shared.flow is not None
    assert shared.project is not None
    spots = {spot.ref: spot for spot in shared.flow.nodes}
    right, bottom = drawing_size(spots.values())
    scale = max(SMALLEST, min(1, PAGE_WIDTH / right))
    return {
        "node": {"width": WIDTH, "height": HEIGHT},
        "box": f"-1 -1 {right + 2:g} {bottom + 2:g}",
        "width": round(right * scale),
        "height": round(bottom * scale),
        "lines": [
            (edge_svg_path(spots[edge.before], edge.bends, spots[edge.after]), edge) for edge in shared.flow.edges
        ],
        "steps": [(spots[step.ref], step) for step in shared.project.actions if step.ref in spots],
    }


def _group_steps_by_status_word(project: ShownProject) -> list[tuple[str, list[ShownStep]]]:
    """A column for each status; what this server has no word for comes last."""
    by_status: dict[str, list[ShownStep]] = {status: [] for status in STATUSES}
    for step in project.actions:
        by_status.setdefault(step.status, []).append(step)
    return [(status_word(status), steps) for status, steps in by_status.items() if steps]
