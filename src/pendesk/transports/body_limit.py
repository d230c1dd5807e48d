"""No request body larger than the limit, told or not told by its Content-Length."""

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
        started = False

        async def limited() -> Message:
            nonlocal read
            limit: int = scope["pendesk.body_bytes"]
            if int(content_length) > limit:
                raise _too_large_error(limit)
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit:
                raise _too_large_error(limit)
            return message

        async def sent(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, limited, sent)
        except TooLarge as refusal:
            if started:
                raise
            response = json_response(refusal_or_internal_error_body(refusal), 413)
            await response(scope, receive, send)


def _too_large_error(limit: int) -> TooLarge:
    return TooLarge(f"The request body is larger than {limit} bytes. Send less at once.", limit=limit)
