"""What an operation is: a value without defaults, so that nothing that protects can be forgotten.

Three kinds, all run by operations/dispatch.py: an `Operation` is called by an actor, a `SecretOperation` begins with a
secret instead, a `ServerOperation` is the server's own work. The `run` of the first may be a `RemoteOperation`.
"""

import copy
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from pendesk.clock import to_iso
from pendesk.domain.access import Actor, Role, Scope
from pendesk.domain.agent_session import AgentSession
from pendesk.domain.errors import Refusal
from pendesk.domain.event import Event
from pendesk.domain.event_data import ACCEPTED_DRAFT_FIELD, event_data_to_wire
from pendesk.domain.limits import Limits
from pendesk.domain.watching import happening_of
from pendesk.operations.outbound import Outbound
from pendesk.store import watches
from pendesk.store.engine.tx import Tx
from pendesk.store.files import Files as Files  # transports have it from here

I = TypeVar("I", bound="Input")  # noqa: E741
O = TypeVar("O", bound="Output")  # noqa: E741
P = TypeVar("P")
B = TypeVar("B")
A = TypeVar("A")  # the arguments of a secret or server operation
M = TypeVar("M")  # what a secret was found to belong to
R = TypeVar("R")  # the result of a secret or server operation
T = TypeVar("T")
M_co = TypeVar("M_co", covariant=True)
R_co = TypeVar("R_co", covariant=True)

encode_json = msgspec.json.Encoder().encode


class Input(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a caller sends: unknown fields are refused by name. `enum_hints` say more where a word is not accepted."""

    enum_hints: ClassVar[dict[str, str]] = {}

    @classmethod
    def field_problem_pairs_beyond_types(cls, decoded: Any) -> list[tuple[str, str]] | None:
        """Faults as (field, problem) that types do not show, in an input that is refused for others already."""
        return None

    def idempotency_payload(self) -> "Input":
        """What makes two calls with one idempotency_key the same call."""
        return self


class Output(msgspec.Struct, kw_only=True, rename="camel", omit_defaults=True):
    """What a caller gets: camelCase; fields left at their default are left out."""


class Kind(StrEnum):
    READ = "read"  # short, as is a write; one that seldom is not says so by Call.require_worker_thread
    LONG_READ = "long_read"  # a read that may take long
    HEAVY_READ = "heavy_read"  # one that may take seconds, for a page or a file: never a tool
    WRITE = "write"
    LONG_WRITE = "long_write"  # a write that may take long


class Installation(NamedTuple):
    """What an installation decides and operations need."""

    limits: Limits
    signing_key: bytes
    public_url: str
    files: Files


class ThreadRequired(Exception):
    """Raised by `Call.require_worker_thread`: the operation runs again where others do not wait for it."""


class Call:
    """One operation under way: who calls, when, and the transaction it may use.

    `agent_session` is set for a write by an agent.
    """

    __slots__ = (
        *("_agent_session", "_find_session", "_in_thread"),
        *("accepted_draft_of", "actor", "installation", "limits", "tx"),
    )

    def __init__(self, tx: Tx, actor: Actor, installation: Installation, *, in_thread: bool = False) -> None:
        self.tx = tx
        self.actor = actor
        self.installation = installation
        self.limits = installation.limits
        self._in_thread = in_thread
        self._agent_session: AgentSession | None = None
        self._find_session: Callable[[Tx, Actor], AgentSession | None] | None = None
        # The program whose draft a person accepts by this call: named in every event that comes of it.
        self.accepted_draft_of: str | None = None

    @property
    def agent_session(self) -> AgentSession | None:
        if self._find_session is not None:
            self.agent_session = self._find_session(self.tx, self.actor)
        return self._agent_session

    @agent_session.setter
    def agent_session(self, session: AgentSession | None) -> None:
        self._agent_session, self._find_session = session, None

    def find_session_when_needed(self, find: Callable[[Tx, Actor], AgentSession | None]) -> None:
        """Its rows are on their way: whoever needs it first takes them."""
        self._find_session = find

    def require_worker_thread(self) -> None:
        """Said before a long part that a read or write seldom has: from here on it runs in a thread, begun anew.

        On the event loop's thread every caller would wait. What it wrote so far is undone.
        """
        if not self._in_thread:
            raise ThreadRequired

    def in_the_name_of(self, actor: Actor) -> "Call":
        """The same call as another's: what it records is theirs, and no session's."""
        other = copy.copy(self)
        other.actor, other.agent_session = actor, None
        return other

    @property
    def now(self) -> int:
        return self.tx.now

    def record(self, event: Event, agent_model: str | None = None) -> None:
        """Write the event into the one log, in the transaction of its change."""
        self.tx.append_event(self.encode_event(event, agent_model))
        self._add_watch_news(event)

    def record_returning_id(self, event: Event, agent_model: str | None = None) -> int:
        """The same; its id is given back."""
        self._add_watch_news(event)
        return self.tx.append_event_returning_id(self.encode_event(event, agent_model))

    def _add_watch_news(self, event: Event) -> None:
        """For those who watch what it is about."""
        session_id = self.agent_session.id if self.agent_session else None
        happening = happening_of(event, self.actor.user_id, session_id)
        if happening is not None:
            watches.add_news(self.tx, happening)

    def record_encoded(self, event_row: dict[str, Any]) -> None:
        """The same for many, encoded before by `encode_event`."""
        self.tx.append_event({**event_row, "at": self.now})

    def encode_event(self, event: Event, agent_model: str | None = None) -> dict[str, Any]:
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
            "data": encode_json(self._event_data(event)).decode(),
            "about_user_id": event.about_user_id,
            "agent_session_id": self.agent_session.id if self.agent_session else None,
        }

    def _event_data(self, event: Event) -> Mapping[str, Any]:
        data = event_data_to_wire(event)
        return data if self.accepted_draft_of is None else {**data, ACCEPTED_DRAFT_FIELD: self.accepted_draft_of}


class PrivilegedCall(Call):
    """A call that no actor made, so nobody was admitted. Only secret and server operations get one."""

    __slots__ = ()

    def act_as(self, actor: Actor) -> None:
        """From here on the call is this actor's: they are known only once their secret has been locked and read."""
        self.actor = actor


Run = Callable[[Call, Any], Output]


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


class Match(NamedTuple, Generic[M_co]):
    """What a secret belongs to: the workspace in whose transaction it is used, and what was read of it."""

    workspace_id: str
    value: M_co


class Answer(NamedTuple, Generic[R_co]):
    """The result already: no further step is needed."""

    value: R_co


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretOperation(Generic[A, M, R]):
    """An operation that begins with a secret instead of an actor: a sign-in, an invite, a token, a signed address.

    Up to four steps, each None where it is not needed; the first `Answer` ends it, and a refusal that `run` returns
    is raised after the commit, so that what it wrote is saved.
    `check`: without the database, so that what cannot be a secret of ours costs no read.
    `find`: in a read that belongs to no workspace, because nobody knows yet whose secret it is.
    `verify`: outside of any transaction, for what takes long, such as the hash of a password.
    `run`: in a transaction of the workspace that was found, in which the secret is locked, read again and used.
    """

    name: str
    title: str
    description: str
    input: type[A]
    output: object
    kind: Kind
    check: Callable[[Installation, A], Match[M] | Answer[R] | None] | None
    find: Callable[[PrivilegedCall, A], Match[M] | Answer[R]] | None
    verify: Callable[[Installation, A, Match[M]], Awaitable[Match[M] | Answer[R]]] | None
    run: Callable[[PrivilegedCall, A, M], R | Refusal] | None


class Transactions(Protocol):
    """A server operation's way into the store: any number of transactions, each of a workspace or of none ("")."""

    installation: Installation

    async def read(self, workspace: str, work: Callable[[PrivilegedCall], T]) -> T: ...
    async def long_read(self, workspace: str, work: Callable[[PrivilegedCall], T]) -> T: ...
    async def write(self, workspace: str, work: Callable[[PrivilegedCall], T]) -> T: ...
    async def long_write(self, workspace: str, work: Callable[[PrivilegedCall], T]) -> T: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOperation(Generic[A, R]):
    """The server's own work: housekeeping, deliveries, rate limits, seals. Nobody calls it, so nobody is admitted.

    It has no kind: it may go through all workspaces, and each of its transactions says how long it may take.
    """

    name: str
    title: str
    description: str
    input: type[A]
    output: object
    run: Callable[[Transactions, A], Awaitable[R]]


AnyOperation = Operation[Any, Any]
AnySecretOperation = SecretOperation[Any, Any, Any]
AnyServerOperation = ServerOperation[Any, Any]
AnyRemoteOperation = RemoteOperation[Any, Any, Any, Any]


def to_iso_or_none(time_us: int | None) -> str | None:
    return None if time_us is None else to_iso(time_us)
