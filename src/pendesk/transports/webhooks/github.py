"""POST /webhooks/github/{project_id}: GitHub tells what happened to a project's repository.

Nothing is believed, and nothing about any project told, before the signature over the raw body is good.
"""

import hashlib
import re
from typing import Any
from urllib.parse import parse_qs

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain import access
from pendesk.domain.errors import BadField, Forbidden
from pendesk.domain.github import is_from_github, spellings, webhook_secret
from pendesk.domain.limits import PROJECTS_PER_REPOSITORY
from pendesk.ids import parse_id
from pendesk.store import github
from pendesk.store.engine.tx import Tx
from pendesk.store.github import Listening
from pendesk.transports.problems import json_response
from pendesk.transports.service import Service
from pendesk.transports.webhooks.github_payloads import EVENTS, Envelope

_ID = re.compile(r"[0-9A-Za-z-]{1,64}\Z")
_EVENT = re.compile(r"[a-z_]{1,64}\Z")
_BROKEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_DECODERS = {name: msgspec.json.Decoder(shape) for name, (shape, _) in EVENTS.items()}
_ENVELOPE = msgspec.json.Decoder(Envelope)


async def post_github(request: Request) -> Response:
    service: Service = request.app.state.service
    body = await request.body()
    hook = await _authentic(request, service, body)
    payload = _payload(request, body)
    event = _header(request, "x-github-event", _EVENT)
    told: dict[str, Any] = {
        "project_id": hook.project_id,
        "delivery_id": _header(request, "x-github-delivery", _ID),
        "digest": hashlib.sha256(body).hexdigest(),
        "event": event,
        "repository": _repository(payload).repository.full_name[:250],
    }
    translated = _translated(event, payload)
    name, arguments = translated or ("record_delivery", {})
    received = await service.dispatcher.call(access.github(hook.workspace_id), name, {**told, **arguments})
    return json_response(received, 200 if translated or event == "ping" else 202)


async def _authentic(request: Request, service: Service, body: bytes) -> Listening:
    """The webhook whose secret signed this body. Missing, wrong, or no such project: one answer for all."""
    told = request.headers.getlist("x-hub-signature-256")
    signature = told[0] if len(told) == 1 else ""
    key = service.installation.signing_key
    # One more, which never fits: an address without a project takes as long to refuse as one with.
    meant = [*await _meant(request, service, body), Listening("", "", 0)]
    fitting = [
        hook
        for hook in meant
        if is_from_github(webhook_secret(key, hook.workspace_id, hook.project_id, hook.generation), body, signature)
    ]
    if not fitting or not fitting[0].project_id:
        raise Forbidden("This call is not signed with a secret that is known here.", code="bad_signature")
    return fitting[0]


async def _meant(request: Request, service: Service, body: bytes) -> list[Listening]:
    """By the project in the address, or else by the repository in the payload: the signature decides among them."""
    if "project_id" in request.path_params:
        project_id = parse_id(request.path_params["project_id"])
        if project_id is None:
            return []

        def of_project(tx: Tx) -> list[Listening]:
            return github.listening_for_project(tx, project_id, PROJECTS_PER_REPOSITORY)

        return await service.store.read("", of_project)
    try:
        page = _repository(_payload(request, body)).repository.html_url
    except BadField:
        return []
    addresses = spellings(page)

    def of_repository(tx: Tx) -> list[Listening]:
        return github.listening_to_repository(tx, addresses, PROJECTS_PER_REPOSITORY)

    return await service.store.read("", of_repository) if addresses else []


def _payload(request: Request, body: bytes) -> bytes:
    """GitHub sends JSON, or a form with the JSON in it, as the webhook's settings say."""
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return body
    try:
        return parse_qs(body.decode(), strict_parsing=True, max_num_fields=10)["payload"][0].encode()
    except (ValueError, KeyError):
        raise BadField("payload", "the form has no readable payload.") from None


def _repository(payload: bytes) -> Envelope:
    try:
        return _ENVELOPE.decode(payload)
    except _BROKEN:
        raise BadField("", "The payload is not one that GitHub sends.") from None


def _translated(event: str, payload: bytes) -> tuple[str, dict[str, Any]] | None:
    """The operation that the event becomes; None where it is none of ours."""
    if event not in EVENTS:
        return None
    try:
        return EVENTS[event][1](_DECODERS[event].decode(payload))
    except _BROKEN:
        raise BadField("", f"The payload is not that of a {event} event.") from None


def _header(request: Request, name: str, form: "re.Pattern[str]") -> str:
    told = request.headers.get(name, "")
    if not form.match(told):
        raise BadField(name, "is missing or is not what GitHub sends.")
    return told
