"""A refusal on the wire: its HTTP status by the nearest base class, and the one error body."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pendesk.domain import errors
from pendesk.operations.operation import encode_json

STATUS: dict[type[errors.Refusal], int] = {
    errors.Unauthenticated: 401,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.OAuthRefused: 400,
    errors.Conflict: 409,
    errors.TooLarge: 413,
    errors.WrongMediaType: 415,
    errors.RuleBroken: 422,
    errors.TooManyRequests: 429,
    errors.OtherServerSilent: 502,
    errors.Unavailable: 503,
}

# What `error_body` makes; details stand beside these, by the code.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "status": {"type": "integer"},
                "code": {"type": "string"},
                "message": {"type": "string"},
            },
            "required": ["status", "code", "message"],
        }
    },
    "required": ["error"],
}

ADVERTISED = "specs.read builds.write"  # where no setting says otherwise
FAULT = "This is a fault of ours. Nothing was changed, so it is safe to try again."
# What routing itself refuses, in words that say what to do.
PLAIN = {
    404: ("not_found", "There is nothing at this address. Check the path."),
    405: ("method_not_allowed", "This address does not take this method. The Allow header lists those it takes."),
}


class AsgiResponse(NamedTuple):
    """An answer for those who speak ASGI themselves."""

    status: int
    body: bytes
    headers: list[tuple[bytes, bytes]]


def http_status_of(refusal: errors.Refusal) -> int:
    return next(STATUS[base] for base in type(refusal).__mro__ if base in STATUS)


def error_body(status: int, code: str, message: str, **details: Any) -> dict[str, Any]:
    return {"error": {"status": status, "code": code, "message": message, **details}}


def refusal_or_internal_error_body(refusal: errors.Refusal | None, *, to_person: bool = False) -> dict[str, Any]:
    """The error body of a refusal; of a fault of ours where there is none."""
    if refusal is None:
        return error_body(500, "internal_error", FAULT)
    words = refusal.message_for_person if to_person else refusal.message
    return error_body(http_status_of(refusal), refusal.code, words, **refusal.details)


def refusal_asgi_response(
    refusal: errors.Refusal, public_url: str, advertised_scopes: str = ADVERTISED, *, to_person: bool = False
) -> AsgiResponse:
    """`public_url` is the server's own, where clients find out how to get a token;
    `advertised_scopes` is what they are to ask for.
    """
    status = http_status_of(refusal)
    body = encode_json(refusal_or_internal_error_body(refusal, to_person=to_person))
    return AsgiResponse(status, body, _refusal_headers(refusal, status, public_url, advertised_scopes))


def json_response(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(encode_json(content), status, headers, "application/json")


def refusal_response(
    refusal: errors.Refusal, public_url: str, advertised_scopes: str = ADVERTISED, *, to_person: bool = False
) -> Response:
    status, body, headers = refusal_asgi_response(refusal, public_url, advertised_scopes, to_person=to_person)
    return Response(body, status, {name.decode(): value.decode() for name, value in headers}, "application/json")


def http_error_response(status: int, headers: Mapping[str, str] | None = None) -> Response:
    """An error that no operation raised."""
    code, message = PLAIN.get(status) or (HTTPStatus(status).name.lower(), f"{HTTPStatus(status).phrase}.")
    return json_response(error_body(status, code, message), status, headers)


def internal_error_response(request_id: str) -> Response:
    return json_response(error_body(500, "internal_error", FAULT, requestId=request_id), 500)


async def on_refusal(request: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, errors.Refusal)
    service = request.app.state.service
    return refusal_response(refusal, service.installation.public_url, service.settings.advertised_scopes)


async def on_http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return http_error_response(error.status_code, error.headers)


def _refusal_headers(
    refusal: errors.Refusal, status: int, public_url: str, advertised_scopes: str
) -> list[tuple[bytes, bytes]]:
    metadata = f'Bearer resource_metadata="{public_url}/.well-known/oauth-protected-resource"'
    if status == 401:
        sent = ', error="invalid_token"' if refusal.details.get("sent") else ""
        return [(b"www-authenticate", f'{metadata}, scope="{advertised_scopes}"{sent}'.encode())]
    if isinstance(refusal, errors.MissingScope):
        scope = refusal.details["scope"]
        return [(b"www-authenticate", f'{metadata}, error="insufficient_scope", scope="{scope}"'.encode())]
    if status in (429, 503) and "retryAfter" in refusal.details:
        return [(b"retry-after", str(refusal.details["retryAfter"]).encode())]
    return []
