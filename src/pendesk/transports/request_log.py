"""The outermost layer: gives each request an id, logs and counts it, and answers for faults.

The query string is never logged: it may hold a one-time code or a signature.
"""

import logging
import secrets
import time
from contextvars import ContextVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pendesk.domain.token import SECRET
from pendesk.transports.metrics import Metrics
from pendesk.transports.problems import internal_error_response

log = logging.getLogger("pendesk.request")
request_id: ContextVar[str] = ContextVar("request_id", default="")


class RequestLog:
    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        own_id = secrets.token_hex(8)
        request_id.set(own_id)
        started = time.perf_counter()
        status = 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", own_id.encode())]
            await send(message)

        try:
            await self.app(scope, receive, sent)
        except ClientDisconnect:
            status = status or 499
        except Exception:
            log.exception("a fault while answering %s %s", scope["method"], _redact_and_escape_path(scope["path"]))
            if status == 0:
                await internal_error_response(own_id)(scope, receive, sent)
        finally:
            self._log_request(scope, status, time.perf_counter() - started)

    def _log_request(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", None) or scope.get("pendesk.route", "other")
        method = scope["method"] if scope["method"] in METHODS else "OTHER"
        self.metrics.record_request(route, method, status, seconds)
        client = scope["client"][0] if scope.get("client") else "-"
        log.info(
            "%s %s %d",
            method,
            _redact_and_escape_path(scope["path"]),
            status,
            extra={"log_fields": {"status": status, "ms": round(seconds * 1000, 1), "client": client}},
        )


async def on_internal_error(_request: Request, _error: Exception) -> Response:
    """The answer; the layer above logs the fault itself."""
    return internal_error_response(request_id.get())


METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def _redact_and_escape_path(path: str) -> str:
    """A path may hold anything once decoded: line breaks, terminal escapes and tokens must not reach a log."""
    return SECRET.sub("(secret)", path)[:500].encode("unicode_escape").decode("ascii")
