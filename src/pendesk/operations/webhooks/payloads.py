"""What a webhook is sent: the event as it stands in the log, or a line of text for a chat."""

from typing import Any

from pendesk.domain.event import LoggedEvent
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_phrases import EventNames
from pendesk.domain.event_visibility import SEES_EVERYTHING
from pendesk.domain.webhook import OutgoingWebhook
from pendesk.operations.operation import Call, encode_json
from pendesk.operations.timeline.event_names import event_names, phrase_of, ref_of
from pendesk.operations.timeline.list_events import event_row
from pendesk.store import timeline
from pendesk.store.timeline import TimelineRow


def event_body(call: Call, hook: OutgoingWebhook, delivery_id: str, event: LoggedEvent) -> bytes:
    if hook.format == "slack":
        (row,), _ = timeline.before(call.tx, event.seq + 1, EventFilter(), SEES_EVERYTHING, 1)
        # Without addresses of invites: a channel has other readers than the log.
        return encode_json({"text": _line(row, event_names(call.tx, [row]), call.installation.public_url)})
    return encode_json(_envelope(call, hook, delivery_id, event=event_row(event)))


def ping_body(call: Call, hook: OutgoingWebhook, delivery_id: str) -> bytes:
    if hook.format == "slack":
        return encode_json({"text": f"Pendesk can reach this channel: {call.installation.public_url}"})
    return encode_json(_envelope(call, hook, delivery_id, ping=True))


def _envelope(call: Call, hook: OutgoingWebhook, delivery_id: str, **content: Any) -> dict[str, Any]:
    return {"id": delivery_id, "webhookId": hook.id, "workspaceId": call.actor.workspace_id, **content}


def _line(row: TimelineRow, names: EventNames, public_url: str) -> str:
    phrase = phrase_of(row, names)
    actor = _plain(row.actor_name or "GitHub")
    model = f" ({_plain(row.agent_model)})" if row.agent_model else ""
    detail = f": {_plain(phrase.detail)}" if phrase.detail else ""
    return f"{actor}{model} {_plain(phrase.deed)}{detail}{_link(row, public_url)}"


def _link(row: TimelineRow, public_url: str) -> str:
    ref = ref_of(row)
    if ref is not None:
        return f" <{public_url}/a/{ref}|{ref} {_plain(row.label or '')}>"
    return f" <{public_url}/p/{row.project_key}|{row.project_key}>" if row.project_key else ""


def _plain(text: str) -> str:
    """Slack's own three escapes: nothing that somebody wrote becomes a link or a mention. One line."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "¦")
    return " ".join(escaped.split())
