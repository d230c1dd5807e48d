"""What a session holds while a person has paused it: it gives no sign of life, and must not lose its work by that."""

from collections.abc import Callable

from pendesk.domain.claim import ClaimKind, SessionLease, claim_expiry, expiry_while_paused
from pendesk.domain.limits import Limits
from pendesk.store import claims
from pendesk.store.engine.tx import Tx


def extend_leases_for_pause(tx: Tx, session_id: str, limits: Limits) -> None:
    """Up to the longest life of a lease. A call of the holder shortens it again: say so once more when the run ends."""
    _set_expiry(tx, session_id, lambda lease: expiry_while_paused(lease, limits))


def restart_leases_after_pause(tx: Tx, session_id: str, limits: Limits) -> None:
    """As after a sign of life: if the session is gone, what it holds is free again soon."""
    _set_expiry(tx, session_id, lambda lease: claim_expiry(ClaimKind.LEASE, lease.taken_at, tx.now, limits))


def _set_expiry(tx: Tx, session_id: str, expiry: Callable[[SessionLease], int]) -> None:
    leases = claims.live_leases_of_sessions(tx, [session_id])
    if leases:
        claims.save_lease_expiry(tx, [(lease.id, expiry(lease)) for lease in leases])
