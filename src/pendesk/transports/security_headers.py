"""Headers that every answer carries unless its route decided otherwise."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

DEFAULTS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; "
        "base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: with it browsers send "Origin: null" on our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


RAW = [(name.lower().encode(), value.encode()) for name, value in DEFAULTS.items()]


class SecurityHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                decided = {name for name, _value in headers}
                message["headers"] = headers + [each for each in RAW if each[0] not in decided]
            await send(message)

        await self.app(scope, receive, sent)
