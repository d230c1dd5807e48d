"""POST /webhooks/github/{project_id}: GitHub says what happened to a project's repository.

Nothing is believed before the signature over the raw body is good: see operations/github/authenticate_delivery.py.
"""

import hashlib
import re
from typing import Any
from urllib.parse import parse_qs

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain import access
from pendesk.domain.errors import BadField
from pendesk.operations.github import authenticate_delivery
from pendesk.operations.github.authenticate_delivery import AuthenticateDelivery
from pendesk.operations.github.payloads import EVENTS, Envelope
from pendesk.transports.problems import json_response
from pendesk.transports.service import Service

_ID = re.compile(r"[0-9A-Za-z-]{1,64}\Z")
_EVENT = re.compile(r"[a-z_]{1,64}\Z")
_BROKEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_DECODERS = {name: msgspec.json.Decoder(shape) for name, (shape, _) in EVENTS.items()}
_ENVELOPE = msgspec.json.Decoder(Envelope)


async def post_github_webhook(request: Request) -> Response:
    service: Service = request.app.state.service
    body = await request.body()
    hook = await service.dispatcher.call_by_secret(
        authenticate_delivery.OPERATION, _build_delivery_to_authenticate(request, body)
    )
    payload = _extract_payload(request, body)
    event = _require_header(request, "x-github-event", _EVENT)
    delivery: dict[str, Any] = {
        "project_id": hook.project_id,
        "delivery_id": _require_header(request, "x-github-delivery", _ID),
        "digest": hashlib.sha256(body).hexdigest(),
        "event": event,
        "repository": _decode_envelope(payload).repository.full_name[:250],
    }
    translated = _operation_call_for_event(event, payload)
    name, arguments = translated or ("record_delivery", {})
    received = await service.dispatcher.call(access.github_actor(hook.workspace_id), name, {**delivery, **arguments})
    return json_response(received, 200 if translated or event == "ping" else 202)


def _build_delivery_to_authenticate(request: Request, body: bytes) -> AuthenticateDelivery:
    signatures = request.headers.getlist("x-hub-signature-256")
    signature = signatures[0] if len(signatures) == 1 else ""
    project_id = request.path_params.get("project_id")
    return AuthenticateDelivery(project_id, "" if project_id else _repository_url(request, body), body, signature)


def _repository_url(request: Request, body: bytes) -> str:
    try:
        return _decode_envelope(_extract_payload(request, body)).repository.html_url
    except BadField:
        return ""


def _extract_payload(request: Request, body: bytes) -> bytes:
    """GitHub sends JSON, or a form with the JSON in it, as the webhook's settings say."""
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return body
    try:
        return parse_qs(body.decode(), strict_parsing=True, max_num_fields=10)["payload"][0].encode()
    except (ValueError, KeyError):
        raise BadField("payload", "the form has no readable payload.") from None


def _decode_envelope(payload: bytes) -> Envelope:
    try:
        return _ENVELOPE.decode(payload)
    except _BROKEN:
        raise BadField("", "The payload is not one that GitHub sends.") from None


def _operation_call_for_event(event_name: str, payload: bytes) -> tuple[str, dict[str, Any]] | None:
    """The operation that the event becomes; None where it is none of ours."""
    if event_name not in EVENTS:
        return None
    try:
        return EVENTS[event_name][1](_DECODERS[event_name].decode(payload))
    except _BROKEN:
        raise BadField("", f"The payload is not that of a {event_name} event.") from None


def _require_header(request: Request, name: str, pattern: "re.Pattern[str]") -> str:
    value = request.headers.get(name, "")
    if not pattern.match(value):
        raise BadField(name, "is missing or is not what GitHub sends.")
    return value
