"""POST /oauth/device_authorization (RFC 8628): a program without a browser begins to wait."""

from starlette.requests import Request
from starlette.responses import Response

from pendesk.clock import MICROSECONDS
from pendesk.domain.errors import OAuthRefused
from pendesk.domain.limits import DEVICE_US, POLL_S
from pendesk.domain.oauth import OAuthClient, normalize_scopes, require_this_server_as_resource
from pendesk.operations.oauth import start_device
from pendesk.operations.oauth.start_device import StartDevice
from pendesk.transports.anonymous_limits import throttle_by_address, throttles_of
from pendesk.transports.fetch import Unfetchable
from pendesk.transports.oauth.answers import no_store_json_response, with_oauth_errors
from pendesk.transports.oauth.documents import find_or_fetch_client
from pendesk.transports.oauth.parameters import read_form_or_json
from pendesk.transports.service import Service


@with_oauth_errors
async def post_device_authorization(request: Request) -> Response:
    service: Service = request.app.state.service
    await throttle_by_address(request, throttles_of(request).devices, "device")
    parameters = await read_form_or_json(request)
    client = await _require_client(request, parameters.require("client_id"))
    scopes = normalize_scopes(parameters.get("scope"), service.settings.advertised_scopes)
    resource = require_this_server_as_resource(parameters.resources, service.installation.public_url)
    device = StartDevice(client, scopes, resource)
    started = await service.dispatcher.call_by_secret(start_device.OPERATION, device)
    page = f"{service.installation.public_url}/device"
    return no_store_json_response(
        {
            "device_code": started.device_code,
            "user_code": started.user_code,
            "verification_uri": page,
            "verification_uri_complete": f"{page}?user_code={started.user_code}",
            "expires_in": DEVICE_US // MICROSECONDS,
            "interval": POLL_S,
        }
    )


async def _require_client(request: Request, client_id: str) -> OAuthClient:
    try:
        client = await find_or_fetch_client(request, client_id)
    except Unfetchable as error:
        raise OAuthRefused("invalid_client", f"The client's description cannot be used: {error}.") from None
    if client is None:
        raise OAuthRefused("invalid_client", "This client is not known here. Register first.")
    return client
