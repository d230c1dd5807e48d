"""POST /oauth/token: a code, a refresh token or a device code becomes an access token."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.errors import OAuthRefused
from pendesk.domain.oauth import require_this_server_as_resource
from pendesk.operations.oauth import find_client, poll_device, redeem_code, refresh_grant
from pendesk.operations.oauth.issue import IssuedTokens
from pendesk.operations.oauth.poll_device import PollDevice
from pendesk.operations.oauth.redeem_code import RedeemCode
from pendesk.operations.oauth.refresh_grant import RefreshGrant
from pendesk.transports.anonymous_limits import throttle_by_address, throttles_of
from pendesk.transports.oauth.answers import no_store_json_response, with_oauth_errors
from pendesk.transports.oauth.metadata import DEVICE_GRANT
from pendesk.transports.oauth.parameters import Parameters, read_form_or_json
from pendesk.transports.service import Service


@with_oauth_errors
async def post_token(request: Request) -> Response:
    service: Service = request.app.state.service
    parameters = await read_form_or_json(request)
    issue = GRANTS.get(parameters.require("grant_type"))
    if issue is None:
        raise OAuthRefused("unsupported_grant_type", f"Use one of: {', '.join(GRANTS)}.")
    resource = require_this_server_as_resource(parameters.resources, service.installation.public_url)
    client_id = parameters.require("client_id")
    if await service.dispatcher.call_by_secret(find_client.OPERATION, client_id) is None:
        # Another error than invalid_grant, because a client that gets it registers again.
        raise OAuthRefused("invalid_client", "This client is not known here any more. Register again.")
    try:
        issued = await issue(service, parameters, resource)
    except OAuthRefused as refusal:
        if refusal.details.get("unknown"):
            await throttle_by_address(request, throttles_of(request).unknown_tokens, "grant")
        raise
    return no_store_json_response(
        {
            "access_token": issued.access_token,
            "token_type": "Bearer",
            "expires_in": issued.expires_in_s,
            "refresh_token": issued.refresh_token,
            "scope": issued.scopes,
        }
    )


async def _issue_tokens_for_authorization_code(service: Service, parameters: Parameters, resource: str) -> IssuedTokens:
    code = RedeemCode(
        parameters.require("code"),
        parameters.get("client_id"),
        parameters.require("redirect_uri"),
        parameters.require("code_verifier"),
        resource,
    )
    return await service.dispatcher.call_by_secret(redeem_code.OPERATION, code)


async def _issue_tokens_for_refresh_token(service: Service, parameters: Parameters, resource: str) -> IssuedTokens:
    refresh_token = RefreshGrant(
        parameters.require("refresh_token"), parameters.get("client_id"), parameters.get("scope"), resource
    )
    return await service.dispatcher.call_by_secret(refresh_grant.OPERATION, refresh_token)


async def _issue_tokens_for_device_code(service: Service, parameters: Parameters, _resource: str) -> IssuedTokens:
    device = PollDevice(parameters.require("device_code"), parameters.get("client_id"))
    return await service.dispatcher.call_by_secret(poll_device.OPERATION, device)


GRANTS: dict[str, Callable[[Service, Parameters, str], Awaitable[IssuedTokens]]] = {
    "authorization_code": _issue_tokens_for_authorization_code,
    "refresh_token": _issue_tokens_for_refresh_token,
    DEVICE_GRANT: _issue_tokens_for_device_code,
}
