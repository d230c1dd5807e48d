"""Who goes out when an operation asks another server. Operations see this much of the network, and no more."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from pendesk.domain.errors import Unavailable
from pendesk.domain.limits import OUTBOUND_BYTES

JSON = "application/json"
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class Reply(NamedTuple):
    """`body` is empty where JSON was accepted alone and it is none. The names of the headers are in lower case."""

    status: int
    body: bytes
    headers: Mapping[str, str] = _NO_HEADERS


class Outbound(Protocol):
    """Where it may go and how long it waits is its own affair (transports/http_outbound.py)."""

    async def send(
        self,
        method: str,
        url: str,
        token: str | None = None,
        body: bytes = b"",
        *,
        accept: str = JSON,
        max_bytes: int = OUTBOUND_BYTES,
    ) -> Reply:
        """The reply, or a refusal where there is none, or it is longer than that."""

    async def check_allowed(self, url: str) -> None:
        """A refusal where it would not be asked: for an address that is saved now and asked later."""


class UnavailableOutbound:
    """For a process that has no way out."""

    async def send(
        self,
        method: str,
        url: str,
        token: str | None = None,
        body: bytes = b"",
        *,
        accept: str = JSON,
        max_bytes: int = OUTBOUND_BYTES,
    ) -> Reply:
        raise Unavailable("This process does not call other servers. Ask the running server instead.")

    async def check_allowed(self, url: str) -> None:
        """It asks nobody."""


async def no_op_finish(_outbound: Outbound, _plan: Any, _reply: Any) -> None:
    """For an operation that is done once it is recorded."""
