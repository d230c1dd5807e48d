"""Headers that decide something come once. Of two, one reader takes the first and another the last: a proxy in front
would let the one through, and the server believe the other.
"""

from starlette.types import ASGIApp, Receive, Scope, Send

from pendesk.transports.problems import error_body, json_response

# Host has a check of its own, and so has the signature of a webhook, whose every fault has one answer; a Content-Length
# that comes twice is refused by the parser.
SINGLE = frozenset(
    (
        b"authorization",
        b"origin",
        b"sec-fetch-site",
        b"content-type",
        b"idempotency-key",
        b"last-event-id",
        b"mcp-protocol-version",
        b"mcp-method",
        b"mcp-name",
        b"x-github-event",
        b"x-github-delivery",
    )
)


class SingleHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        names = [name for name, _value in scope["headers"] if name in SINGLE]
        if len(names) == len(set(names)):
            await self.app(scope, receive, send)
            return
        repeated = ", ".join(sorted({name.decode() for name in names if names.count(name) > 1}))
        body = error_body(400, "repeated_header", f"Send each of these headers once: {repeated}.")
        await json_response(body, 400)(scope, receive, send)
