"""No request body larger than the limit, told or not told by its Content-Length.

Whoever answers the refusal, here or inside, the connection ends with it: the rest of the body is read no more than a
little (transports/deadlines.py), so no other request can follow.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pendesk.domain.errors import TooLarge
from pendesk.transports.problems import json_response, refusal_or_internal_error_body


class BodyLimit:
    """A route that takes larger bodies raises scope["pendesk.body_bytes"] before it reads."""

    def __init__(self, app: ASGIApp, limit_bytes: int) -> None:
        self.app = app
        self.limit_bytes = limit_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["pendesk.body_bytes"] = self.limit_bytes
        content_length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        read = 0
        started = refused = False

        async def limited() -> Message:
            nonlocal read, refused
            limit: int = scope["pendesk.body_bytes"]
            refused = int(content_length) > limit
            if refused:
                raise _too_large_error(limit)
            message = await receive()
            read += len(message.get("body", b""))
            refused = read > limit
            if refused:
                raise _too_large_error(limit)
            return message

        async def sent(message: Message) -> None:
            nonlocal started
            if refused and not started:
                message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
            started = True
            await send(message)

        try:
            await self.app(scope, limited, sent)
        except TooLarge as refusal:
            if started:
                raise
            response = json_response(refusal_or_internal_error_body(refusal), 413)
            await response(scope, receive, sent)


def _too_large_error(limit: int) -> TooLarge:
    return TooLarge(f"The request body is larger than {limit} bytes. Send less at once.", limit=limit)
