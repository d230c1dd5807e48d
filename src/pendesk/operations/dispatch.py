"""The one dispatcher. Every operation, from MCP, REST, the web app or the command line, goes through `Dispatcher.call`.

scope and role -> input -> transaction (idempotency, the operation, its events) -> answer, or a refusal.
A remote operation (operation.py) has two transactions and the network in between.
"""

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar

import msgspec

from pendesk.domain.access import Actor, Role, admit, no_longer_member
from pendesk.domain.errors import ClaimLost, NotFound, Refusal, RuleBroken
from pendesk.domain.limits import IDEMPOTENCY_US
from pendesk.operations.decode_input import as_json, read_input
from pendesk.operations.operation import (
    AnyOperation,
    AnyRemoteOperation,
    Call,
    Input,
    Installation,
    Kind,
    Output,
    RemoteOperation,
    TakesLong,
    encode_json,
)
from pendesk.operations.outbound import NoOutbound, Outbound
from pendesk.store import idempotency, people
from pendesk.store.engine.tx import Tx

T = TypeVar("T")
Run = Callable[[Call, Any], Output]


# Where an operation goes on that takes longer than its kind may.
IN_THREAD = {Kind.READ: Kind.SCAN, Kind.WRITE: Kind.LOAD}


class Store(Protocol):
    engine: str

    async def write(self, workspace: str, work: Callable[[Any], T]) -> T: ...
    async def read(self, workspace: str, work: Callable[[Any], T]) -> T: ...
    async def scan(self, workspace: str, work: Callable[[Any], T]) -> T: ...
    async def load(self, workspace: str, work: Callable[[Any], T]) -> T: ...
    async def close(self) -> None: ...
    def on_commit(self, listener: Callable[[str], None]) -> None:
        """After each commit that wrote events call `told` with its workspace, on the event loop's thread."""

    def gauges(self) -> dict[str, float]: ...
    def failure(self) -> str:
        """Why it could not be used of late; empty where nothing is known to be wrong."""


class Dispatcher:
    def __init__(
        self, store: Store, operations: list[AnyOperation], installation: Installation, outbound: Outbound | None = None
    ) -> None:
        self.store = store
        self.installation = installation
        self.outbound = outbound or NoOutbound()
        self.operations = {operation.name: operation for operation in operations}
        self._decoders = {each.name: msgspec.json.Decoder(each.input) for each in operations}
        self._enter = {
            Kind.READ: store.read,
            Kind.SCAN: store.scan,
            Kind.WRITE: store.write,
            Kind.LOAD: store.load,
        }

    async def call(self, actor: Actor, name: str, arguments: bytes | Mapping[str, Any]) -> Output:
        """`arguments` is a JSON object, as text or as a mapping."""
        operation = self.operations.get(name)
        if operation is None:
            raise NotFound("operation", name)
        admit(actor, operation.scope, operation.role)
        raw = arguments if isinstance(arguments, bytes) else as_json(arguments)
        args = read_input(self._decoders[name], raw)
        run = operation.run
        if isinstance(run, RemoteOperation):
            return await self._call_remote(actor, operation, run, args)

        def work(tx: Tx, *, in_thread: bool = operation.kind in IN_THREAD.values()) -> Output | Refusal:
            return _once(Call(tx, actor, self.installation, in_thread=in_thread), operation, run, args)

        try:
            answer = await self._enter[operation.kind](actor.workspace_id, work)
        except TakesLong:
            answer = await self._enter[IN_THREAD[operation.kind]](actor.workspace_id, partial(work, in_thread=True))
        if isinstance(answer, Refusal):
            raise answer
        return answer

    async def _call_remote(
        self, actor: Actor, operation: AnyOperation, remote: AnyRemoteOperation, args: Input
    ) -> Output:
        def prepare(tx: Tx) -> Any:
            return remote.prepare(Call(tx, actor, self.installation), args)

        # Beside what the network takes, a thread costs nothing; and what is sent may be all of a project.
        prepared = await self.store.scan(actor.workspace_id, prepare)
        reply = await remote.send(self.outbound, prepared)

        def record(tx: Tx) -> Output:
            # That took a while: the caller may have been removed or may do less by now.
            member = people.member(tx, actor.user_id)
            if member is None:
                raise no_longer_member()
            admit(actor._replace(role=Role.from_word(member.role)), operation.scope, operation.role)
            return remote.record(Call(tx, actor, self.installation), args, prepared, reply)  # type: ignore[no-any-return]

        answer = await self.store.write(actor.workspace_id, record)
        with suppress(Refusal):
            await remote.finish(self.outbound, prepared, reply)
        return answer


def _once(call: Call, operation: AnyOperation, run: Run, args: Input) -> Output | Refusal:
    key = getattr(args, "idempotency_key", None)
    try:
        if key is None:
            return run(call, args)
        return _remembered(call, operation, run, args, key)
    except ClaimLost as refusal:
        # Refused, yet what was sent is kept: the only refusal that leaves a trace.
        call.tx.undo()
        if refusal.late is not None:
            call.record(refusal.late)
        return refusal


def _remembered(call: Call, operation: AnyOperation, run: Run, args: Input, key: str) -> Output:
    body_hash = hashlib.sha256(operation.name.encode() + encode_json(args.compared())).hexdigest()
    # Two calls with one key run one after the other: the second finds the first one's answer.
    people.lock_member(call.tx, call.actor.user_id)
    known = idempotency.find(call.tx, call.actor.user_id, key, call.now - IDEMPOTENCY_US)
    if known is None:
        answer = run(call, args)
        idempotency.remember(call.tx, call.actor.user_id, key, operation.name, body_hash, encode_json(answer).decode())
        return answer
    if known.body_hash != body_hash:
        raise RuleBroken(
            "This idempotency_key was used for another call. Repeat the same call with it, or take a new key.",
            code="idempotency_key_reused",
        )
    return msgspec.json.decode(known.answer, type=operation.output)  # type: ignore[no-any-return]
