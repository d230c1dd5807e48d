"""Headers that every answer carries unless its route decided otherwise."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

DEFAULTS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: with it browsers send "Origin: null" on our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

# Pages of those who are signed in also have our own scripts, which ask our own server; and so has the worker itself.
SCRIPTED = {
    "Content-Security-Policy": DEFAULTS["Content-Security-Policy"].replace(
        "style-src", "script-src 'self'; connect-src 'self'; worker-src 'self'; style-src", 1
    )
}

RAW = [(name.lower().encode(), value.encode()) for name, value in DEFAULTS.items()]
# Only where the public URL says so: a browser that has seen it once does not come over http again for a year.
OVER_TLS = (b"strict-transport-security", b"max-age=31536000")


class SecurityHeaders:
    def __init__(self, app: ASGIApp, public_url: str) -> None:
        self.app = app
        self.raw = [*RAW, OVER_TLS] if public_url.startswith("https://") else RAW

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                decided = {name for name, _value in headers}
                message["headers"] = headers + [header for header in self.raw if header[0] not in decided]
            await send(message)

        await self.app(scope, receive, sent)
