"""A call as a request, and what to make of the answer: all that both colours share, and nothing that waits."""

import random
import uuid
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from pendesk.client.errors import PendeskError, ServerFault, error_of

T = TypeVar("T")

BASE = "/api/v1"
FIRST_WAIT_S = 0.25
LONGEST_WAIT_S = 60.0


@dataclass(frozen=True)
class Call(Generic[T]):
    """`content`: the body itself, where it is a file; then the fields stand in the query."""

    method: str
    path: str
    fields: dict[str, Any]
    result: type[T]
    key: str | None = None
    content: bytes | None = None
    told: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "told", {name: value for name, value in self.fields.items() if value is not None})

    @property
    def may_repeat(self) -> bool:
        """Whether sending it twice does no more than sending it once."""
        return self.method in ("GET", "PUT", "DELETE") or self.key is not None

    @property
    def target(self) -> str:
        named = {name: quote(str(value), safe="") for name, value in self.told.items()}
        path = BASE + self.path.format_map(named)
        query = urlencode(_pairs(self._rest())) if self._in_query() else ""
        return f"{path}?{query}" if query else path

    @property
    def body(self) -> bytes | None:
        return self.content if self._in_query() else msgspec.json.encode(self._rest())

    @property
    def headers(self) -> dict[str, str]:
        kind = "application/octet-stream" if self.content is not None else "application/json"
        sent = {"Content-Type": kind} if self.body is not None else {}
        return {**sent, "Idempotency-Key": self.key} if self.key else sent

    def _in_query(self) -> bool:
        return self.method in ("GET", "DELETE") or self.content is not None

    def _rest(self) -> dict[str, Any]:
        return {name: value for name, value in self.told.items() if f"{{{name}}}" not in self.path}


def new_key() -> str:
    return uuid.uuid4().hex


def read(call: Call[T], status: int, body: bytes) -> T:
    if status >= 300:
        raise error_of(status, body)
    try:
        return msgspec.json.decode(body or b"null", type=call.result)
    except msgspec.MsgspecError as problem:
        message = f"This client does not understand the answer ({problem}). Is it as new as the server?"
        raise ServerFault(status, "unexpected_answer", message) from None


class Patience(NamedTuple):
    """How often a call is sent again, and how long is waited at most before it."""

    retries: int
    longest_s: float = LONGEST_WAIT_S

    def wait_s(self, call: Call[Any], attempt: int, error: PendeskError, retry_after: str | None) -> float | None:
        """How long to wait before the next attempt; None where there is to be none."""
        if attempt >= self.retries or not _passes(call, error):
            return None
        told = float(retry_after) if retry_after and retry_after.isdecimal() else None
        # Spread, so that many clients that failed together do not come back together.
        wait = told if told is not None else FIRST_WAIT_S * 2**attempt * random.uniform(0.5, 1.5)  # noqa: S311
        return wait if wait <= self.longest_s else None


def _passes(call: Call[Any], error: PendeskError) -> bool:
    """Whether the same call may go better later, and cannot have been done already."""
    if error.status == 429 or (error.status == 503 and error.code == "unavailable"):
        return True  # refused before anything was written
    return error.status in (0, 500, 502, 503, 504) and call.may_repeat


def _pairs(fields: dict[str, Any]) -> list[tuple[str, str]]:
    """A list stands in a query as the same name several times."""
    lists = {name: value if isinstance(value, list) else [value] for name, value in fields.items()}
    return [(name, _text(each)) for name, values in lists.items() for each in values]


def _text(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value
