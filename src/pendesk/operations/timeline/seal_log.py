"""seal_log: every event that is not sealed yet is.

Off the path of every write: a seal is made some seconds later over all that came since the one before. What is not
yet sealed is what a thief of the database could still change unseen; `SEAL_EVERY_S` bounds it.
"""

from pendesk.domain.seal import START, chain_hash, make_seal
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import events, seals

SEAL_EVERY_S = 10
EVENTS_PER_STEP = 1_000


async def run(transactions: Transactions, _args: None) -> int:
    sealed = 0
    for workspace_id in await transactions.read("", lambda call: seals.workspace_ids_with_unsealed_events(call.tx)):
        step = EVENTS_PER_STEP
        while step == EVENTS_PER_STEP:
            step = await transactions.write(workspace_id, _seal_and_count_next_events)
            sealed += step
    return sealed


def _seal_and_count_next_events(call: PrivilegedCall) -> int:
    tx, key = call.tx, call.installation.signing_key
    seals.lock_workspace_for_sealing(tx)
    newest = seals.newest(tx)
    upto, head = (newest.upto_seq, newest.hash) if newest else (0, START)
    unsealed = events.all_after_ignoring_visibility(tx, upto, EVENTS_PER_STEP)
    for event in unsealed:
        head = chain_hash(head, event)
    if unsealed:
        seals.add(tx, make_seal(key, tx.workspace, unsealed[-1].seq, head, tx.now))
    return len(unsealed)


OPERATION = ServerOperation(
    name="seal_log",
    title="Seal the log",
    description="Seal what is not sealed yet, and say how many events that were.",
    input=type(None),
    output=int,
    run=run,
)
