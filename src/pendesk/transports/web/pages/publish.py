"""GET /specs/{spec}/publish: what agents will read, what is missing, what changes, and which agents are working."""

from typing import Any

from pendesk.transports.web.pages.brief import format_brief_as_json
from pendesk.transports.web.parts.field_names import FIELD_NAMES
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    spec = await view.call("get_spec_draft", spec_id=view.path_param("spec"))
    preview = await view.call("preview_build", spec_id=spec.pid, action_id=view.query_param("action"))
    brief_text = format_brief_as_json(preview.brief) if preview.brief else ""
    return {"spec": spec, "preview": preview, "names": FIELD_NAMES, "brief_text": brief_text}


PAGE = Page("/specs/{spec}/publish", "publish.html", load)
