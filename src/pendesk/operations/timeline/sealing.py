"""Sealing the log and checking the seals: the server's own housekeeping, so without an actor.

Off the path of every write: a seal is made some seconds later over all that came since the one before. What is not
yet sealed is what a thief of the database could still change unseen; `SEAL_EVERY_S` bounds it.
"""

from functools import partial

from pendesk.domain.event import LoggedEvent
from pendesk.domain.seal import START, Finding, Verdict, Verifier, link, make_seal
from pendesk.operations.dispatch import Store
from pendesk.store import events, seals
from pendesk.store.engine.tx import Tx

SEAL_EVERY_S = 10
EVENTS_PER_STEP = 1_000
NO_WORKSPACE = ""


async def seal_all(store: Store, key: bytes) -> int:
    """Seal every event that is not; how many were is given back."""
    sealed = 0
    for workspace_id in await store.read(NO_WORKSPACE, seals.unsealed_workspaces):
        step = EVENTS_PER_STEP
        while step == EVENTS_PER_STEP:
            step = await store.write(workspace_id, lambda tx: _seal_step(tx, key))
            sealed += step
    return sealed


def _seal_step(tx: Tx, key: bytes) -> int:
    seals.lock(tx)
    newest = seals.newest(tx)
    upto, head = (newest.upto_seq, newest.hash) if newest else (0, START)
    fresh = events.after(tx, upto, EVENTS_PER_STEP)
    for event in fresh:
        head = link(head, event)
    if fresh:
        seals.add(tx, make_seal(key, tx.workspace, fresh[-1].seq, head, tx.now))
    return len(fresh)


async def verify_all(store: Store, key: bytes, expect: tuple[int, str] | None = None) -> list[tuple[str, Verdict]]:
    """Every workspace by name. `expect` must be a link of one of their logs."""
    found = []
    met = expect is None
    for workspace_id, name in await store.read(NO_WORKSPACE, seals.workspaces):
        verifier = await _walk(store, key, workspace_id, expect)
        found.append((name, verifier.conclude()))
        met = met or verifier.met_expectation
    if expect is not None and not met:
        missing = Finding(expect[0], "no log goes through the head that was expected: it was rewritten")
        found = [(name, verdict._replace(findings=[*verdict.findings, missing])) for name, verdict in found]
    return found


async def verify(store: Store, key: bytes, workspace_id: str) -> Verdict:
    """Walk one workspace's whole log and compare it with its seals."""
    return (await _walk(store, key, workspace_id, None)).conclude()


async def _walk(store: Store, key: bytes, workspace_id: str, expect: tuple[int, str] | None) -> Verifier:
    verifier = Verifier(key, workspace_id, await store.read(workspace_id, seals.of_workspace), expect)
    step = await store.scan(workspace_id, partial(_step_after, 0))
    while step:
        verifier.walk(step)
        last = step[-1].seq
        step = await store.scan(workspace_id, partial(_step_after, last))
    return verifier


def _step_after(seq: int, tx: Tx) -> list[LoggedEvent]:
    return events.after(tx, seq, EVENTS_PER_STEP)
