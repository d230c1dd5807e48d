"""What an operation is: a value without defaults, so that nothing that protects can be forgotten."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from pendesk.clock import to_iso
from pendesk.domain.access import Actor, Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.limits import Limits
from pendesk.operations.outbound import Outbound
from pendesk.store.engine.tx import Tx
from pendesk.store.files import Files

I = TypeVar("I", bound="Input")  # noqa: E741
O = TypeVar("O", bound="Output")  # noqa: E741
P = TypeVar("P")
B = TypeVar("B")

encode_json = msgspec.json.Encoder().encode


class Input(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a caller sends: unknown fields are refused by name."""

    @classmethod
    def more_faults(cls, loose: Any) -> list[tuple[str, str]] | None:
        """Faults as (field, problem) that types do not show, in an input that is refused for others already."""
        return None

    def compared(self) -> "Input":
        """What makes two calls with one idempotency_key the same call."""
        return self


class Output(msgspec.Struct, kw_only=True, rename="camel", omit_defaults=True):
    """What a caller gets: camelCase; fields left at their default are left out."""


class Kind(StrEnum):
    READ = "read"  # short, as is a write; one that seldom is not says so by Call.take_time
    SCAN = "scan"  # a read that may take long
    WRITE = "write"
    LOAD = "load"  # a write that may take long


class Installation(NamedTuple):
    """What an installation decides and operations need."""

    limits: Limits
    signing_key: bytes
    public_url: str
    files: Files


class TakesLong(Exception):
    """Raised by `Call.take_time`: the dispatcher runs the operation again where others do not wait for it."""


class Call:
    """One operation under way: who calls, when, and the transaction it may use."""

    __slots__ = ("_in_thread", "actor", "installation", "limits", "tx")

    def __init__(self, tx: Tx, actor: Actor, installation: Installation, *, in_thread: bool = False) -> None:
        self.tx = tx
        self.actor = actor
        self.installation = installation
        self.limits = installation.limits
        self._in_thread = in_thread

    def take_time(self) -> None:
        """Said before a long part that a read or write seldom has: from here on it runs in a thread, begun anew.

        On the event loop's thread every caller would wait. What it wrote so far is undone.
        """
        if not self._in_thread:
            raise TakesLong

    @property
    def now(self) -> int:
        return self.tx.now

    def record(self, event: Event, agent_model: str | None = None) -> None:
        """Write the event into the one log, in the transaction of its change."""
        self.tx.append_event(self._logged(event, agent_model))

    def record_numbered(self, event: Event, agent_model: str | None = None) -> int:
        """The same; its number is given back."""
        return self.tx.append_numbered_event(self._logged(event, agent_model))

    def _logged(self, event: Event, agent_model: str | None) -> dict[str, Any]:
        return {
            "at": self.now,
            "kind": event.kind,
            "actor_id": self.actor.user_id or None,
            "agent_model": agent_model,
            "door": self.actor.via,
            "object_id": event.object_id,
            "project_id": event.project_id,
            "spec_id": event.spec_id,
            "action_id": event.action_id,
            "data": encode_json(event.data).decode(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteOperation(Generic[I, P, B, O]):
    """An operation with the network in between.

    Only `prepare` and `record` are in a transaction, each in one of its own: no lock is held while another server takes
    its time. `record` looks again at what may have changed meanwhile. `finish` comes after the commit; what fails
    there is made good by the next call. Every step can be repeated: whoever gets no answer calls again.
    """

    prepare: Callable[[Call, I], P]
    send: Callable[[Outbound, P], Awaitable[B]]
    record: Callable[[Call, I, P, B], O]
    finish: Callable[[Outbound, P, B], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[I, O]):
    name: str
    title: str
    description: str
    input: type[I]
    output: type[O]
    scope: Scope
    role: Role
    kind: Kind
    run: Callable[[Call, I], O] | RemoteOperation[I, Any, Any, O]


AnyOperation = Operation[Any, Any]
AnyRemoteOperation = RemoteOperation[Any, Any, Any, Any]


def iso(moment: int | None) -> str | None:
    return None if moment is None else to_iso(moment)
