"""What a webhook is sent: the event as it stands in the log, or a line of text for a chat."""

from typing import Any

from pendesk.domain.action import ref_code
from pendesk.domain.event import LoggedEvent
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_phrases import tell
from pendesk.domain.event_visibility import SEES_EVERYTHING
from pendesk.domain.webhook import OutgoingWebhook
from pendesk.operations.operation import Call, encode_json
from pendesk.operations.timeline.list_events import event_row
from pendesk.store import timeline
from pendesk.store.engine.json_text import from_json
from pendesk.store.timeline import Deed


def event_body(call: Call, hook: OutgoingWebhook, delivery_id: str, event: LoggedEvent) -> bytes:
    if hook.format == "slack":
        (deed,), _ = timeline.before(call.tx, event.seq + 1, EventFilter(), SEES_EVERYTHING, 1)
        return encode_json({"text": _line(deed, call.installation.public_url)})
    return encode_json(_envelope(call, hook, delivery_id, event=event_row(event)))


def ping_body(call: Call, hook: OutgoingWebhook, delivery_id: str) -> bytes:
    if hook.format == "slack":
        return encode_json({"text": f"Pendesk can reach this channel: {call.installation.public_url}"})
    return encode_json(_envelope(call, hook, delivery_id, ping=True))


def _envelope(call: Call, hook: OutgoingWebhook, delivery_id: str, **told: Any) -> dict[str, Any]:
    return {"id": delivery_id, "webhookId": hook.id, "workspaceId": call.actor.workspace_id, **told}


def _line(deed: Deed, public_url: str) -> str:
    ref = ref_code(deed.project_key, deed.ref_number) if deed.project_key and deed.ref_number is not None else None
    told = tell(deed.kind, ref, from_json(deed.data))
    who = _plain(deed.actor_name or "GitHub")
    model = f" ({_plain(deed.agent_model)})" if deed.agent_model else ""
    about = f": {_plain(told.detail)}" if told.detail else ""
    return f"{who}{model} {_plain(told.deed)}{about}{_link(deed, ref, public_url)}"


def _link(deed: Deed, ref: str | None, public_url: str) -> str:
    if ref is not None:
        return f" <{public_url}/a/{ref}|{ref} {_plain(deed.label or '')}>"
    return f" <{public_url}/p/{deed.project_key}|{deed.project_key}>" if deed.project_key else ""


def _plain(text: str) -> str:
    """Slack's own three escapes: nothing that somebody wrote becomes a link or a mention. One line."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "¦")
    return " ".join(escaped.split())
