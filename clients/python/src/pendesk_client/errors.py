"""The errors of a call.

PendeskError              with the code, message and details of the response
├── Unauthenticated       401: no, unknown, expired or revoked token
├── Forbidden             403: a scope, a role, or another user's claim
├── NotFound              404
├── Conflict              409: it was changed in between; `details` has the current values
├── TooLarge              413
├── Invalid               422: a rule or a field; `details["field"]` names the field
├── RateLimited           429: still, after the last retry
├── ServerFault           500, and every other unexpected status
└── Unreachable           no response, or the server is unavailable (503)
"""

from typing import Any

import msgspec


class PendeskError(Exception):
    def __init__(self, status: int, code: str, message: str, details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details = details or {}


class Unauthenticated(PendeskError): ...


class Forbidden(PendeskError): ...


class NotFound(PendeskError): ...


class Conflict(PendeskError): ...


class TooLarge(PendeskError): ...


class Invalid(PendeskError): ...


class RateLimited(PendeskError): ...


class ServerFault(PendeskError): ...


class Unreachable(PendeskError): ...


BY_STATUS: dict[int, type[PendeskError]] = {
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    415: Invalid,
    422: Invalid,
    429: RateLimited,
    503: Unreachable,
}


class _ErrorBody(msgspec.Struct):
    error: dict[str, Any]


def error_from_response(status: int, body: bytes) -> PendeskError:
    """The error in a response; a proxy's page has none."""
    error_class = BY_STATUS.get(status, ServerFault)
    try:
        fields = dict(msgspec.json.decode(body, type=_ErrorBody).error)
    except msgspec.MsgspecError:
        message = f"The response does not come from Pendesk (status {status}). Check the URL."
        return error_class(status, "unexpected_response", message)
    fields.pop("status", None)
    return error_class(status, str(fields.pop("code", "")), str(fields.pop("message", "")), fields)


def unreachable(url: str, problem: Exception) -> Unreachable:
    return Unreachable(0, "unreachable", f"Pendesk at {url} does not answer ({problem}). Is it running?")
