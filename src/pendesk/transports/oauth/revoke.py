"""POST /oauth/revoke (RFC 7009): a public client signs out, without a secret."""

from starlette.requests import Request
from starlette.responses import Response

from pendesk.operations.oauth import revoke_by_token
from pendesk.operations.oauth.revoke_by_token import RevokeByToken
from pendesk.transports.oauth.answers import NO_STORE, in_rfc_form
from pendesk.transports.oauth.parameters import read_request
from pendesk.transports.service import Service


@in_rfc_form
async def post_revoke(request: Request) -> Response:
    service: Service = request.app.state.service
    parameters = await read_request(request)
    token = RevokeByToken(parameters.required("token"), parameters.get("client_id"))
    await service.dispatcher.call_by_secret(revoke_by_token.OPERATION, token)
    return Response(status_code=200, headers=NO_STORE)
