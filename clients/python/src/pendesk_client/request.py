"""An operation as an HTTP request and its response as a model: what the sync and the async client share. No I/O."""

import uuid
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from pendesk_client.errors import ServerFault, error_from_response

T = TypeVar("T")

BASE_PATH = "/api/v1"


@dataclass(frozen=True)
class Request(Generic[T]):
    """`content` is the body itself where it is a file; the arguments then go into the query."""

    method: str
    path: str
    arguments: dict[str, Any]
    result: type[T]
    idempotency_key: str | None = None
    content: bytes | None = None
    sent_arguments: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        sent = {name: value for name, value in self.arguments.items() if value is not None}
        object.__setattr__(self, "sent_arguments", sent)

    @property
    def is_idempotent(self) -> bool:
        """Whether sending it twice does no more than sending it once."""
        return self.method in ("GET", "PUT", "DELETE") or self.idempotency_key is not None

    @property
    def target(self) -> str:
        quoted = {name: quote(str(value), safe="") for name, value in self.sent_arguments.items()}
        path = BASE_PATH + self.path.format_map(quoted)
        query = urlencode(_query_pairs(self._arguments_outside_path())) if self._has_query() else ""
        return f"{path}?{query}" if query else path

    @property
    def body(self) -> bytes | None:
        return self.content if self._has_query() else msgspec.json.encode(self._arguments_outside_path())

    @property
    def headers(self) -> dict[str, str]:
        media_type = "application/octet-stream" if self.content is not None else "application/json"
        headers = {"Content-Type": media_type} if self.body is not None else {}
        return {**headers, "Idempotency-Key": self.idempotency_key} if self.idempotency_key else headers

    def _has_query(self) -> bool:
        return self.method in ("GET", "DELETE") or self.content is not None

    def _arguments_outside_path(self) -> dict[str, Any]:
        return {name: value for name, value in self.sent_arguments.items() if f"{{{name}}}" not in self.path}


def new_idempotency_key() -> str:
    return uuid.uuid4().hex


def decode_response(request: Request[T], status: int, body: bytes) -> T:
    if status >= 300:
        raise error_from_response(status, body)
    try:
        return msgspec.json.decode(body or b"null", type=request.result)
    except msgspec.MsgspecError as problem:
        message = f"This client does not understand the response ({problem}). Is it as new as the server?"
        raise ServerFault(status, "unexpected_response", message) from None


def _query_pairs(arguments: dict[str, Any]) -> list[tuple[str, str]]:
    """A list stands in a query as the same name several times."""
    lists = {name: value if isinstance(value, list) else [value] for name, value in arguments.items()}
    return [(name, _query_value(value)) for name, values in lists.items() for value in values]


def _query_value(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value
