"""Queries on consent pages that wait for their answer."""

from pendesk.domain.oauth import Consent
from pendesk.store.engine.tx import Tx, columns

_FIELDS = columns(Consent)
ADD = f"INSERT INTO oauth_consents ({_FIELDS}) VALUES ({', '.join(f':{name}' for name in Consent._fields)})"

LOCK = "SELECT 1 FROM oauth_consents WHERE hash = :hash FOR NO KEY UPDATE"

# Only for the session that saw the page: a ticket carried into another browser is worth nothing.
OPEN = f"""
SELECT {_FIELDS} FROM oauth_consents
WHERE hash = :hash AND session_hash = :session_hash AND expires_at > :now
"""

REMOVE = "DELETE FROM oauth_consents WHERE hash = :hash"

FORGET = "DELETE FROM oauth_consents WHERE expires_at <= :now"


def add(tx: Tx, consent: Consent) -> None:
    tx.run(ADD, **consent._asdict())


def take(tx: Tx, consent_hash: str, session_hash: str) -> Consent | None:
    """The page that waits, which then waits no longer. Of two answers at once, one finds it."""
    tx.lock(LOCK, hash=consent_hash)
    row = tx.one(OPEN, hash=consent_hash, session_hash=session_hash, now=tx.now)
    if row is None:
        return None
    tx.run(REMOVE, hash=consent_hash)
    return Consent(*row)


def forget_old(tx: Tx) -> None:
    tx.run(FORGET, now=tx.now)
