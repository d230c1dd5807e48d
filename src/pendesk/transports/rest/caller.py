"""Who calls: a program with a bearer token, or our own page with the session cookie."""

from starlette.requests import Request

from pendesk.domain.access import Actor
from pendesk.operations.operation import AnyOperation, Kind
from pendesk.transports.authenticate import Authenticator
from pendesk.transports.web.parts.session import check_same_origin, session_actor


async def authenticate_caller(request: Request, operation: AnyOperation) -> Actor:
    if "authorization" not in request.headers:
        if operation.kind in (Kind.WRITE, Kind.LONG_WRITE):
            # A GET may write too (a brief notes that it was seen), so the method alone does not decide.
            check_same_origin(request)
        actor = await session_actor(request)
        if actor is not None:
            return actor
    gate: Authenticator = request.app.state.gate
    return await gate.authenticate(request.scope, dict(request.scope["headers"]), "rest")
