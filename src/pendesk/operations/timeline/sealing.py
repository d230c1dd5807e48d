"""Sealing the log and checking the seals: the server's own housekeeping, so without an actor.

Off the path of every write: a seal is made some seconds later over all that came since the one before. What is not
yet sealed is what a thief of the database could still change unseen; `SEAL_EVERY_S` bounds it.
"""

from pendesk.domain.seal import START, Verdict, Verifier, link, make_seal
from pendesk.operations.dispatch import Store
from pendesk.store import events, seals
from pendesk.store.tx import Tx

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


async def verify(store: Store, key: bytes, workspace_id: str) -> Verdict:
    """Walk one workspace's whole log and compare it with its seals."""
    verifier = Verifier(key, workspace_id, await store.read(workspace_id, seals.of_workspace))
    after = 0
    while True:
        step = await store.scan(workspace_id, lambda tx, after=after: events.after(tx, after, EVENTS_PER_STEP))  # type: ignore[misc]
        verifier.walk(step)
        if len(step) < EVENTS_PER_STEP:
            return verifier.conclude()
        after = step[-1].seq
