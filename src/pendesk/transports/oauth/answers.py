"""Answers to OAuth clients, in the form of RFC 6749: never cached, errors as `error` and `error_description`."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain.errors import OAuthRefused, Refusal, TooManyRequests
from pendesk.transports.problems import http_status_of, json_response

Endpoint = Callable[[Request], Awaitable[Response]]

NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}


def no_store_json_response(content: Any, status: int = 200) -> Response:
    return json_response(content, status, NO_STORE)


def with_oauth_errors(endpoint: Endpoint) -> Endpoint:
    @wraps(endpoint)
    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refusal as refusal:
            return _error_response(refusal)

    return answered


def _error_response(refusal: Refusal) -> Response:
    response = no_store_json_response(oauth_error_body(refusal), _status_code(refusal))
    if isinstance(refusal, TooManyRequests):
        response.headers["Retry-After"] = str(refusal.details["retryAfter"])
    return response


def oauth_error_body(refusal: Refusal) -> dict[str, str]:
    known = isinstance(refusal, OAuthRefused)
    code = refusal.code if known else _CODES.get(http_status_of(refusal), "temporarily_unavailable")
    return {"error": code, "error_description": refusal.message}


_CODES = {413: "invalid_request"}


def _status_code(refusal: Refusal) -> int:
    return 401 if refusal.code == "invalid_client" else http_status_of(refusal)
