"""Queries on consent pages that wait for their answer."""

from pendesk.domain.oauth import PendingConsent
from pendesk.store.engine.tx import Tx, columns_sql

_FIELDS = columns_sql(PendingConsent)
ADD = f"INSERT INTO oauth_consents ({_FIELDS}) VALUES ({', '.join(f':{name}' for name in PendingConsent._fields)})"

LOCK = "SELECT 1 FROM oauth_consents WHERE hash = :hash FOR NO KEY UPDATE"

# Only for the session that saw the page: a ticket carried into another browser is worth nothing.
OPEN = f"""
SELECT {_FIELDS} FROM oauth_consents
WHERE hash = :hash AND session_hash = :session_hash AND expires_at > :now
"""

REMOVE = "DELETE FROM oauth_consents WHERE hash = :hash"

FORGET = "DELETE FROM oauth_consents WHERE expires_at <= :now"


def add(tx: Tx, consent: PendingConsent) -> None:
    tx.run(ADD, **consent._asdict())


def pop_pending(tx: Tx, consent_hash: str, session_hash: str) -> PendingConsent | None:
    """The page that waits, which then waits no longer. Of two answers at once, one finds it."""
    tx.lock(LOCK, hash=consent_hash)
    row = tx.one(OPEN, hash=consent_hash, session_hash=session_hash, now=tx.now)
    if row is None:
        return None
    tx.run(REMOVE, hash=consent_hash)
    return PendingConsent(*row)


def delete_expired(tx: Tx) -> None:
    tx.run(FORGET, now=tx.now)
