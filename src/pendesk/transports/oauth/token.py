"""POST /oauth/token: a code, a refresh token or a device code becomes an access token."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.errors import OAuthRefused
from pendesk.domain.oauth import read_resource
from pendesk.operations.oauth.clients import find_client
from pendesk.operations.oauth.devices import poll_device
from pendesk.operations.oauth.issue import Issued
from pendesk.operations.oauth.redeem_code import Redemption, redeem_code
from pendesk.operations.oauth.refresh_grant import Refreshing, refresh_grant
from pendesk.transports.oauth.answers import answer, in_rfc_form
from pendesk.transports.oauth.metadata import DEVICE_GRANT
from pendesk.transports.oauth.parameters import Parameters, read_request
from pendesk.transports.service import Service


@in_rfc_form
async def post_token(request: Request) -> Response:
    service: Service = request.app.state.service
    asked = await read_request(request)
    give = GRANTS.get(asked.required("grant_type"))
    if give is None:
        raise OAuthRefused("unsupported_grant_type", f"Use one of: {', '.join(GRANTS)}.")
    resource = read_resource(asked.resources, service.installation.public_url)
    if await find_client(service.store, asked.required("client_id")) is None:
        # Said apart from invalid_grant, because a client that hears it registers anew.
        raise OAuthRefused("invalid_client", "This client is not known here any more. Register again.")
    issued = await give(service, asked, resource)
    return answer(
        {
            "access_token": issued.access_token,
            "token_type": "Bearer",
            "expires_in": issued.expires_in_s,
            "refresh_token": issued.refresh_token,
            "scope": issued.scopes,
        }
    )


async def _by_code(service: Service, asked: Parameters, resource: str) -> Issued:
    code = Redemption(
        asked.required("code"),
        asked.get("client_id"),
        asked.required("redirect_uri"),
        asked.required("code_verifier"),
        resource,
    )
    return await redeem_code(service.store, service.installation, code)


async def _by_refresh_token(service: Service, asked: Parameters, resource: str) -> Issued:
    sent = Refreshing(asked.required("refresh_token"), asked.get("client_id"), asked.get("scope"), resource)
    return await refresh_grant(service.store, service.installation, sent)


async def _by_device_code(service: Service, asked: Parameters, _resource: str) -> Issued:
    return await poll_device(service.store, service.installation, asked.required("device_code"), asked.get("client_id"))


GRANTS: dict[str, Callable[[Service, Parameters, str], Awaitable[Issued]]] = {
    "authorization_code": _by_code,
    "refresh_token": _by_refresh_token,
    DEVICE_GRANT: _by_device_code,
}
