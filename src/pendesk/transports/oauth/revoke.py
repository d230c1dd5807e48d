"""POST /oauth/revoke (RFC 7009): a public client signs out, without a secret."""

from starlette.requests import Request
from starlette.responses import Response

from pendesk.operations.oauth import revoke_by_token
from pendesk.operations.oauth.revoke_by_token import RevokeByToken
from pendesk.transports.oauth.answers import NO_STORE, with_oauth_errors
from pendesk.transports.oauth.parameters import read_form_or_json
from pendesk.transports.service import Service


@with_oauth_errors
async def post_revoke(request: Request) -> Response:
    service: Service = request.app.state.service
    parameters = await read_form_or_json(request)
    token = RevokeByToken(parameters.require("token"), parameters.get("client_id"))
    await service.dispatcher.call_by_secret(revoke_by_token.OPERATION, token)
    return Response(status_code=200, headers=NO_STORE)
