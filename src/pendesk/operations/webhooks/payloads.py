"""What a webhook is sent: the event as it stands in the log, or a line of text for a chat."""

from typing import Any

from pendesk.domain.event import LoggedEvent
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_phrases import MentionedNames
from pendesk.domain.event_visibility import SEES_EVERYTHING
from pendesk.domain.webhook import OutgoingWebhook
from pendesk.operations.operation import Call, encode_json
from pendesk.operations.timeline.event_names import action_ref_code, describe_timeline_row, load_mentioned_names
from pendesk.operations.timeline.list_events import event_row
from pendesk.store import agent_sessions, timeline
from pendesk.store.timeline import TimelineRow


def webhook_body_for_event(call: Call, hook: OutgoingWebhook, delivery_id: str, event: LoggedEvent) -> bytes:
    if hook.format == "slack":
        (row,), _ = timeline.page_and_lowest_searched_seq(call.tx, event.seq + 1, EventFilter(), SEES_EVERYTHING, 1)
        # Without addresses of invites: a channel has other readers than the log.
        return encode_json(
            {"text": _slack_text(row, load_mentioned_names(call.tx, [row]), call.installation.public_url)}
        )
    labels = agent_sessions.labels_by_id(call.tx, [event.agent_session_id])
    return encode_json(_wrap_payload_in_envelope(call, hook, delivery_id, event=event_row(event, labels)))


def ping_body(call: Call, hook: OutgoingWebhook, delivery_id: str) -> bytes:
    if hook.format == "slack":
        return encode_json({"text": f"Pendesk can reach this channel: {call.installation.public_url}"})
    return encode_json(_wrap_payload_in_envelope(call, hook, delivery_id, ping=True))


def _wrap_payload_in_envelope(call: Call, hook: OutgoingWebhook, delivery_id: str, **content: Any) -> dict[str, Any]:
    return {"id": delivery_id, "webhookId": hook.id, "workspaceId": call.actor.workspace_id, **content}


def _slack_text(row: TimelineRow, names: MentionedNames, public_url: str) -> str:
    phrase = describe_timeline_row(row, names)
    actor = _escape_slack(row.actor_name or "GitHub")
    by = [text for text in (timeline.agent_label(row), row.agent_model) if text]
    agent = f" ({_escape_slack(', '.join(by))})" if by else ""
    detail = f": {_escape_slack(phrase.detail)}" if phrase.detail else ""
    return f"{actor}{agent} {_escape_slack(phrase.deed)}{detail}{_slack_link_to_action_or_project(row, public_url)}"


def _slack_link_to_action_or_project(row: TimelineRow, public_url: str) -> str:
    ref = action_ref_code(row)
    if ref is not None:
        return f" <{public_url}/a/{ref}|{ref} {_escape_slack(row.label or '')}>"
    return f" <{public_url}/p/{row.project_key}|{row.project_key}>" if row.project_key else ""


def _escape_slack(text: str) -> str:
    """Slack's own three escapes: nothing that somebody wrote becomes a link or a mention. One line."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "¦")
    return " ".join(escaped.split())
