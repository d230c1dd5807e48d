"""GET /a/{ref}/brief: what an agent reads when it takes the action up, for people; the drawer shows it too."""

from typing import Any

import msgspec

from pendesk.operations.operation import encode_json
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    brief = await view.call("preview_brief", action_id=view.path_param("ref"))
    return {"brief": brief, "brief_text": format_brief_as_json(brief)}


def format_brief_as_json(brief: Any) -> str:
    """The JSON that an agent gets, with line breaks for people."""
    return msgspec.json.format(encode_json(brief), indent=2).decode()


PAGE = Page("/a/{ref}/brief", "brief.html", load)
