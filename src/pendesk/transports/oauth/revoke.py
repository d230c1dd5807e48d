"""POST /oauth/revoke (RFC 7009): a public client signs out, without a secret."""

from starlette.requests import Request
from starlette.responses import Response

from pendesk.operations.oauth.end_by_token import end_by_token
from pendesk.transports.oauth.answers import NO_STORE, in_rfc_form
from pendesk.transports.oauth.parameters import read_request
from pendesk.transports.service import Service


@in_rfc_form
async def post_revoke(request: Request) -> Response:
    service: Service = request.app.state.service
    asked = await read_request(request)
    await end_by_token(service.store, service.installation, asked.required("token"), asked.get("client_id"))
    return Response(status_code=200, headers=NO_STORE)
