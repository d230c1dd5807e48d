"""GET /specs/{spec}/publish: what agents will read, what is missing, what changes and who is told."""

from typing import Any

import msgspec

from pendesk.operations.operation import encode_json
from pendesk.transports.web.field_names import FIELD_NAMES
from pendesk.transports.web.view import Page, View


async def load(view: View) -> dict[str, Any]:
    spec = await view.call("get_spec_draft", spec_id=view.named("spec"))
    preview = await view.call("preview_build", spec_id=spec.pid, action_id=view.asked("action"))
    return {"spec": spec, "preview": preview, "names": FIELD_NAMES, "brief_text": _as_sent(preview.brief)}


def _as_sent(brief: Any) -> str:
    """The JSON that an agent gets, with line breaks for people."""
    return msgspec.json.format(encode_json(brief), indent=2).decode() if brief is not None else ""


PAGE = Page("/specs/{spec}/publish", "publish.html", load)
