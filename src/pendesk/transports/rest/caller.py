"""Who calls: a program with a bearer token, or our own page with the session cookie."""

from starlette.requests import Request

from pendesk.domain.access import Actor
from pendesk.operations.operation import AnyOperation, Kind
from pendesk.transports.authenticate import Gate
from pendesk.transports.web.parts.session import check_same_origin, signed_in


async def caller_of(request: Request, operation: AnyOperation) -> Actor:
    if "authorization" not in request.headers:
        if operation.kind in (Kind.WRITE, Kind.LOAD):
            # A GET may write too (a brief notes that it was seen), so the method alone does not decide.
            check_same_origin(request)
        actor = await signed_in(request)
        if actor is not None:
            return actor
    gate: Gate = request.app.state.gate
    return await gate.admit(dict(request.scope["headers"]), "rest")
