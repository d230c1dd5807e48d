"""The one dispatcher. Every operation, from MCP, REST, the web app or the command line, goes through it.

`call`: scope and role -> input -> transaction (idempotency, the operation, its events) -> answer, or a refusal.
A remote operation has two transactions and the network in between.
`call_by_secret`: for who is not known yet: check -> find -> verify -> transaction of the workspace that was found.
`call_as_server`: the server's own work. See operation.py for the kinds.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar

import msgspec

from pendesk.domain.access import (
    PLANNING_SCOPES,
    Actor,
    anonymous_actor,
    check_permission,
    has_scope,
    server_actor,
)
from pendesk.domain.errors import NotFound, Refusal, Unavailable
from pendesk.operations.admission import check_still_admitted, is_admitted_as_before, read_admission_ahead
from pendesk.operations.caller_session import (
    SeenSessions,
    SessionOutdated,
    find_or_create_session,
    find_up_to_date_session,
    has_marks_to_record,
    read_session_ahead,
)
from pendesk.operations.decode_input import decode_input, encode_arguments_as_json
from pendesk.operations.housekeeping import count_text
from pendesk.operations.idempotent_run import run_idempotent
from pendesk.operations.operation import (
    A,
    Answer,
    AnyOperation,
    AnyRemoteOperation,
    Call,
    Input,
    Installation,
    Kind,
    M,
    Match,
    Output,
    PrivilegedCall,
    R,
    RemoteOperation,
    Run,
    SecretOperation,
    ServerOperation,
    ThreadRequired,
)
from pendesk.operations.outbound import Outbound, UnavailableOutbound
from pendesk.operations.session_news import NewsItem, pop_news_of_session, unread_news
from pendesk.operations.text_counts import TextCounts
from pendesk.store.engine.tx import Tx

T = TypeVar("T")


# Where an operation goes on that takes longer than its kind may.
IN_THREAD = {Kind.READ: Kind.LONG_READ, Kind.WRITE: Kind.LONG_WRITE}
THREADED = (Kind.LONG_READ, Kind.HEAVY_READ, Kind.LONG_WRITE)
WRITES = (Kind.WRITE, Kind.LONG_WRITE)
NO_ACTOR = anonymous_actor("")
MARKS_REMEMBERED = 10_000


class Store(Protocol):
    engine: str

    async def write(self, workspace: str, work: Callable[[Any], T]) -> T: ...
    async def read(self, workspace: str, work: Callable[[Any], T]) -> T: ...
    async def look_up(self, work: Callable[[Any], T]) -> T:
        """A read of no workspace, of a statement or two that need not see the same moment; `work` may run again."""

    async def long_read(self, workspace: str, work: Callable[[Any], T]) -> T: ...
    async def heavy_read(self, workspace: str, work: Callable[[Any], T]) -> T: ...
    async def long_write(self, workspace: str, work: Callable[[Any], T]) -> T: ...
    async def close(self) -> None: ...
    def on_commit(self, listener: Callable[[str], None]) -> None:
        """After each commit that wrote events call `listener` with its workspace, on the event loop's thread."""

    def metric_gauges(self) -> dict[str, float]: ...
    async def look_for_damage(self, *, full: bool) -> str: ...
    def known_damage(self) -> str:
        """What the last look at the database file has shown to be wrong with it; empty where it is sound."""

    def recent_failure_reason(self) -> str:
        """Why it could not be used of late; empty where nothing is known to be wrong."""


class Dispatcher:
    def __init__(
        self, store: Store, operations: list[AnyOperation], installation: Installation, outbound: Outbound | None = None
    ) -> None:
        self.store = store
        self.installation = installation
        self.outbound = outbound or UnavailableOutbound()
        self.operations = {operation.name: operation for operation in operations}
        # Calls that only read and carry these marks have nothing to record.
        self._recorded_marks: dict[tuple[str, str, frozenset[str]], None] = {}
        self._seen_sessions = SeenSessions()
        self._text_counts = TextCounts(partial(self.call_as_server, count_text.OPERATION))
        self._decoders = {operation.name: msgspec.json.Decoder(operation.input) for operation in operations}
        self._enter = {
            Kind.READ: store.read,
            Kind.LONG_READ: store.long_read,
            Kind.HEAVY_READ: store.heavy_read,
            Kind.WRITE: store.write,
            Kind.LONG_WRITE: store.long_write,
        }

    @property
    def database_engine(self) -> str:
        return self.store.engine

    def store_metric_gauges(self) -> dict[str, float]:
        return self.store.metric_gauges()

    def recent_store_failure_reason(self) -> str:
        """Why the store could not be used of late; empty where nothing is known to be wrong."""
        return self.store.recent_failure_reason()

    async def look_for_damage(self, *, full: bool) -> str:
        return await self.store.look_for_damage(full=full)

    def known_damage(self) -> str:
        return self.store.known_damage()

    async def call(self, actor: Actor, operation_name: str, arguments: bytes | Mapping[str, Any]) -> Output:
        """`arguments` is a JSON object, as text or as a mapping."""
        try:
            return await self._call(actor, operation_name, arguments)
        except Refusal as refusal:
            refusal.fit_advice_to_tools(lambda tool: self.may_call(actor, tool))
            raise

    def may_call(self, actor: Actor, operation_name: str) -> bool:
        operation = self.operations.get(operation_name)
        return operation is not None and has_scope(actor, operation.scope) and actor.role >= operation.role

    async def _call(self, actor: Actor, operation_name: str, arguments: bytes | Mapping[str, Any]) -> Output:
        operation = self.operations.get(operation_name)
        if operation is None:
            raise NotFound("operation", operation_name)
        check_permission(actor, operation.scope, operation.role)
        raw = arguments if isinstance(arguments, bytes) else encode_arguments_as_json(arguments)
        args = decode_input(self._decoders[operation_name], raw)
        run = operation.run
        if isinstance(run, RemoteOperation):
            return await self._call_remote(actor, operation, run, args)
        if operation.kind not in WRITES and len(actor.origin.marks) > 1:
            await self._record_marks(actor)

        if operation.kind in WRITES:
            await self._text_counts.save_if_due_or_refuse(actor, operation.name)
            return await self._run_counted_write(
                actor, operation, lambda call: _run_write(call, operation, run, args, self._seen_sessions)
            )

        def work(tx: Tx, *, in_thread: bool = operation.kind in THREADED) -> Output | Refusal:
            return _run_in_session(Call(tx, actor, self.installation, in_thread=in_thread), operation, run, args)

        answer: Output = await self._run_in_transaction(operation.kind, actor.workspace_id, work)
        if getattr(answer, "news", None):
            await self._mark_news_read(actor, answer)
        return answer

    async def _run_counted_write(
        self, actor: Actor, operation: AnyOperation, write: Callable[[Call], Output | Refusal]
    ) -> Output:
        text_bytes = 0

        def work(tx: Tx, *, in_thread: bool = operation.kind in THREADED) -> Output | Refusal:
            nonlocal text_bytes
            answer = write(Call(tx, actor, self.installation, in_thread=in_thread))
            text_bytes = tx.text_bytes
            return answer

        answer: Output = await self._run_in_transaction(operation.kind, actor.workspace_id, work)
        self._text_counts.add(actor, text_bytes)
        return answer

    async def _mark_news_read(self, actor: Actor, answer: Any) -> None:
        """A read tells what its session has not read yet; once it has succeeded, and only what no other call told."""

        def pop_news(tx: Tx) -> list[NewsItem]:
            call = Call(tx, actor, self.installation)
            call.agent_session = find_or_create_session(tx, actor)
            return pop_news_of_session(call, call.agent_session)

        with suppress(Unavailable):  # rather told twice than not at all
            answer.news = await self.store.write(actor.workspace_id, pop_news)

    async def _record_marks(self, actor: Actor) -> None:
        """The hook at a session's start only reads, but it alone says which process the session runs in."""
        key = (actor.workspace_id, actor.user_id, actor.origin.marks)
        if key in self._recorded_marks:
            return
        with suppress(Unavailable):  # what is read does not depend on it
            if await self.store.read(actor.workspace_id, lambda tx: has_marks_to_record(tx, actor)):
                await self.store.write(actor.workspace_id, lambda tx: find_or_create_session(tx, actor))
            if len(self._recorded_marks) >= MARKS_REMEMBERED:
                self._recorded_marks.pop(next(iter(self._recorded_marks)))
            self._recorded_marks[key] = None

    async def call_by_secret(self, operation: SecretOperation[A, M, R], args: A) -> R:
        """`args` are values that a transport has read from a header, a cookie, a form or an address."""
        step: Match[M] | Answer[R] | None = None
        if operation.check is not None:
            step = operation.check(self.installation, args)
        if step is None and operation.find is not None:
            find = operation.find
            step = await self.store.look_up(lambda tx: find(PrivilegedCall(tx, NO_ACTOR, self.installation), args))
        if operation.verify is not None and isinstance(step, Match):
            step = await operation.verify(self.installation, args, step)
        if isinstance(step, Answer):
            result: R = step.value
            return result
        return await self._run_secret_operation(operation, args, step if step is not None else Match("", None))

    async def _run_secret_operation(self, operation: SecretOperation[A, M, R], args: A, match: Match[Any]) -> R:
        run = operation.run
        assert run is not None, f"{operation.name} has no run, so what it finds must be its answer"

        def work(tx: Tx, *, in_thread: bool = operation.kind in THREADED) -> R | Refusal:
            actor = anonymous_actor(tx.workspace)
            return run(PrivilegedCall(tx, actor, self.installation, in_thread=in_thread), args, match.value)

        return await self._run_in_transaction(operation.kind, match.workspace_id, work)

    async def call_as_server(self, operation: ServerOperation[A, R], args: A) -> R:
        return await operation.run(ServerTransactions(self.store, self.installation), args)

    async def _run_in_transaction(self, transaction_kind: Kind, workspace: str, work: Callable[..., T | Refusal]) -> T:
        """`work(tx)` where its kind runs, and once more with in_thread=True where that turns out to take long."""
        try:
            answer: T | Refusal = await self._enter[transaction_kind](workspace, work)
        except ThreadRequired:
            answer = await self._enter[IN_THREAD[transaction_kind]](workspace, partial(work, in_thread=True))
        if isinstance(answer, Refusal):
            raise answer
        return answer

    async def _call_remote(
        self, actor: Actor, operation: AnyOperation, remote: AnyRemoteOperation, args: Input
    ) -> Output:
        def prepare(tx: Tx) -> Any:
            return remote.prepare(Call(tx, actor, self.installation), args)

        await self._text_counts.save_if_due_or_refuse(actor, operation.name)
        # Beside what the network takes, a thread costs nothing; and what is sent may be all of a project.
        prepared = await self.store.long_read(actor.workspace_id, prepare)
        reply = await remote.send(self.outbound, prepared)

        def record(call: Call) -> Output:
            check_still_admitted(call, operation)
            call.agent_session = find_or_create_session(call.tx, actor)
            return remote.record(call, args, prepared, reply)  # type: ignore[no-any-return]

        answer = await self._run_counted_write(actor, operation, record)
        with suppress(Refusal):
            await remote.finish(self.outbound, prepared, reply)
        return answer


class ServerTransactions:
    """See operation.Transactions."""

    def __init__(self, store: Store, installation: Installation) -> None:
        self._store = store
        self.installation = installation

    async def read(self, workspace: str, work: Callable[[PrivilegedCall], T]) -> T:
        return await self._store.read(workspace, partial(self._run_as_server, work))

    async def long_read(self, workspace: str, work: Callable[[PrivilegedCall], T]) -> T:
        return await self._store.long_read(workspace, partial(self._run_as_server, work))

    async def write(self, workspace: str, work: Callable[[PrivilegedCall], T]) -> T:
        return await self._store.write(workspace, partial(self._run_as_server, work))

    async def long_write(self, workspace: str, work: Callable[[PrivilegedCall], T]) -> T:
        return await self._store.long_write(workspace, partial(self._run_as_server, work))

    def _run_as_server(self, work: Callable[[PrivilegedCall], T], tx: Tx) -> T:
        # Each transaction was entered by its kind, so there is nothing that `require_worker_thread` could move.
        return work(PrivilegedCall(tx, server_actor(tx.workspace), self.installation, in_thread=True))


def _run_write(
    call: Call, operation: AnyOperation, run: Run, args: Input, seen_sessions: SeenSessions
) -> Output | Refusal:
    if not call.tx.writes_alone and seen_sessions.is_expected_up_to_date(call.actor):
        answer = _run_write_ahead(call, operation, run, args)
        if answer is not None:
            return answer
        call.tx.rollback()
    _begin_write(call, operation)
    if not call.tx.writes_alone:
        seen_sessions.remember(call.actor, call.agent_session, call.now)
    return _run_in_session(call, operation, run, args)


def _run_write_ahead(call: Call, operation: AnyOperation, run: Run, args: Input) -> Output | Refusal | None:
    """Whether the caller is still admitted, and their session, of which nothing is to be saved, are read together with
    what the operation reads first, and looked at in the end. None where they are not as they were.
    """
    read_admission_ahead(call)
    read_session_ahead(call.tx, call.actor)
    call.find_session_when_needed(find_up_to_date_session)
    try:
        answer = _run_in_session(call, operation, run, args)
        _ = call.agent_session
    except SessionOutdated:
        return None
    except Refusal:
        if is_admitted_as_before(call):
            raise
        return None
    return answer if is_admitted_as_before(call) else None


def _run_in_session(call: Call, operation: AnyOperation, run: Run, args: Input) -> Output | Refusal:
    key = getattr(args, "idempotency_key", None)
    try:
        answer = run(call, args) if key is None else run_idempotent(call, operation, run, args, key)
        return _with_news_for_planner(call, operation, answer)
    except Refusal as refusal:
        if refusal.late_report is None:
            raise
        # Refused, yet what was sent is kept: no other refusal leaves a trace.
        call.tx.rollback()
        _begin_write(call, operation)
        call.record(refusal.late_report)
        return refusal


def _begin_write(call: Call, operation: AnyOperation) -> None:
    if call.actor.credential.kind != "user":  # who is at the server's own machine came in with nothing to revoke
        check_still_admitted(call, operation)
    call.agent_session = find_or_create_session(call.tx, call.actor)


def _with_news_for_planner(call: Call, operation: AnyOperation, answer: Any) -> Output:
    """What people decided about the session's drafts and tasks; the building tools tell it by themselves."""
    if operation.scope in PLANNING_SCOPES and "news" in operation.output.__struct_fields__:
        is_write = operation.kind in WRITES
        answer.news = pop_news_of_session(call, call.agent_session) if is_write else unread_news(call)
    return answer  # type: ignore[no-any-return]
