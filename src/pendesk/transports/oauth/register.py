"""POST /oauth/register (RFC 7591): a program introduces itself. It gets an id, never a secret."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, field
from starlette.requests import Request
from starlette.responses import Response

from pendesk.clock import MICROSECONDS
from pendesk.domain import limits, redirect
from pendesk.domain.errors import OAuthRefused
from pendesk.domain.oauth import UNNAMED, OAuthClient, sanitize_client_name
from pendesk.operations.duplicate_keys import find_duplicate_key
from pendesk.operations.oauth import register_client
from pendesk.operations.oauth.register_client import RegisterClient
from pendesk.transports.anonymous_limits import throttle_by_address, throttles_of
from pendesk.transports.oauth.answers import no_store_json_response, with_oauth_errors
from pendesk.transports.oauth.metadata import DEVICE_GRANT, GRANTS
from pendesk.transports.oauth.parameters import read_size_limited_body
from pendesk.transports.service import Service

Uri = Annotated[str, Meta(max_length=redirect.LONGEST_CHARS)]
Word = Annotated[str, Meta(max_length=100)]


class Registration(msgspec.Struct, kw_only=True):
    """What is read of it; other fields are left aside, as the RFC asks."""

    redirect_uris: Annotated[list[Uri], Meta(max_length=limits.CLIENT_REDIRECTS)] = []
    client_name: Annotated[str, Meta(max_length=1_000)] | None = None
    grant_types: Annotated[list[Word], Meta(max_length=10)] = field(default_factory=lambda: ["authorization_code"])
    response_types: Annotated[list[Word], Meta(max_length=10)] = field(default_factory=lambda: ["code"])


_DECODER = msgspec.json.Decoder(Registration)


@with_oauth_errors
async def post_register(request: Request) -> Response:
    service: Service = request.app.state.service
    await throttle_by_address(request, throttles_of(request).registrations, "register")
    registration = _parse_registration(await read_size_limited_body(request))
    name = sanitize_client_name(registration.client_name or "") or UNNAMED
    new_client = RegisterClient(name, registration.redirect_uris)
    client = await service.dispatcher.call_by_secret(register_client.OPERATION, new_client)
    return no_store_json_response(_registration_response_body(client, registration), 201)


def _parse_registration(body: bytes) -> Registration:
    try:
        registration = _DECODER.decode(body)
        duplicate = find_duplicate_key(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise OAuthRefused("invalid_client_metadata", f"Not a registration: {error}.") from None
    if duplicate is not None:
        raise OAuthRefused("invalid_client_metadata", "A name is given twice in one object; give each once.")
    for uri in registration.redirect_uris:
        if redirect.parse_loopback_uri(uri) is None:
            raise OAuthRefused(
                "invalid_redirect_uri",
                "Only addresses on the person's own machine are accepted: http://127.0.0.1, http://localhost or "
                "http://[::1], with any port and a plain path.",
            )
    if "authorization_code" in registration.grant_types and not registration.redirect_uris:
        raise OAuthRefused("invalid_redirect_uri", "Send one redirect_uri or more, such as http://127.0.0.1/callback.")
    if not {"authorization_code", DEVICE_GRANT} & set(registration.grant_types) or set(registration.response_types) - {
        "code"
    }:
        raise OAuthRefused("invalid_client_metadata", f"Served are response type code and: {', '.join(GRANTS)}.")
    return registration


def _registration_response_body(client: OAuthClient, registration: Registration) -> dict[str, Any]:
    return {
        "client_id": client.id,
        "client_id_issued_at": client.created_at // MICROSECONDS,
        "client_name": client.name,
        "redirect_uris": registration.redirect_uris,
        "grant_types": [grant for grant in GRANTS if grant in registration.grant_types or grant == "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
