"""What a call may fail with.

PendeskError              code, message and details as the server told them
├── Unauthenticated       401: no, unknown, expired or revoked token
├── Forbidden             403: a scope, a role, or another user's claim
├── NotFound              404
├── Conflict              409: somebody was faster; `details` has what is there now
├── TooLarge              413
├── Invalid               422: a rule or a field; `details["field"]` names it
├── RateLimited           429: and still, after waiting as often as was allowed
├── ServerFault           500 and other statuses that nobody expects
└── Unreachable           no answer, or the server cannot work now
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


class _Told(msgspec.Struct):
    error: dict[str, Any]


def error_of(status: int, body: bytes) -> PendeskError:
    """The error that an answer tells; a proxy's page in between tells none."""
    kind = BY_STATUS.get(status, ServerFault)
    try:
        told = dict(msgspec.json.decode(body, type=_Told).error)
    except msgspec.MsgspecError:
        return kind(status, "unexpected_answer", f"The answer is none of Pendesk's (status {status}). Check the URL.")
    told.pop("status", None)
    return kind(status, str(told.pop("code", "")), str(told.pop("message", "")), told)


def unreachable(url: str, problem: Exception) -> Unreachable:
    return Unreachable(0, "unreachable", f"Pendesk at {url} does not answer ({problem}). Is it running?")
