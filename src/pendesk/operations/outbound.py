"""Who goes out when an operation asks another server. Operations see this much of the network, and no more."""

from typing import Any, NamedTuple, Protocol

from pendesk.domain.errors import Unavailable


class Reply(NamedTuple):
    """`body` is empty where it is no JSON."""

    status: int
    body: bytes


class Outbound(Protocol):
    """Where it may go and how long it waits is its own affair (transports/http_outbound.py)."""

    async def send(self, method: str, url: str, token: str | None = None, body: bytes = b"") -> Reply:
        """The reply, or a refusal where there is none."""


class UnavailableOutbound:
    """For a process that has no way out."""

    async def send(self, method: str, url: str, token: str | None = None, body: bytes = b"") -> Reply:
        raise Unavailable("This process does not call other servers. Ask the running server instead.")


async def no_op_finish(_outbound: Outbound, _plan: Any, _reply: Any) -> None:
    """For an operation that is done once it is recorded."""
