"""GET /api/v1/context: where the caller stands, for `pendesk context`, `whoami` and `doctor`."""

from starlette.requests import Request
from starlette.responses import Response

from pendesk.transports.gate import Gate
from pendesk.transports.problems import json_response
from pendesk.transports.service import Service


async def get_context(request: Request) -> Response:
    service: Service = request.app.state.service
    gate: Gate = request.app.state.gate
    actor = await gate.admit(dict(request.scope["headers"]), "rest")
    return json_response(await service.door.call(actor, "get_context", dict(request.query_params)))
