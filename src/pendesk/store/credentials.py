"""Queries on what a caller came in with: a token, an OAuth grant, a sign-in, or the membership alone.

Whoever writes locks their member row against those who end a credential, and only then looks whether theirs is good:
so an end waits for the writes that are under way, and those that come later meet it.
"""

from pendesk.domain.access import Credential
from pendesk.store.engine.tx import Tx

# Any number of writers hold it at once, beside those who lock the member to count something.
LOCK_SHARED = "SELECT 1 FROM members WHERE workspace_id = :workspace AND user_id = :user_id FOR KEY SHARE"

_ROLE = "SELECT m.role FROM members m WHERE m.workspace_id = :workspace AND m.removed_at IS NULL AND m.user_id = "

# The id of an actor's token is that of its grant, where it has one.
ROLE_OF_TOKEN = f"""
{_ROLE} coalesce(
  (SELECT t.user_id FROM tokens t WHERE t.workspace_id = :workspace AND t.id = :id AND t.revoked_at IS NULL),
  (SELECT g.user_id FROM oauth_grants g WHERE g.workspace_id = :workspace AND g.id = :id AND g.revoked_at IS NULL))
"""

# A sign-in may act in other workspaces than the one it began in.
ROLE_OF_SESSION = f"{_ROLE} (SELECT s.user_id FROM sessions s WHERE s.id = :id AND s.revoked_at IS NULL)"

ROLE_OF_USER = f"{_ROLE} :id"

BY_KIND = {"token": ROLE_OF_TOKEN, "session": ROLE_OF_SESSION, "user": ROLE_OF_USER}


def lock_against_revocation(tx: Tx, user_id: str) -> None:
    tx.lock(LOCK_SHARED, user_id=user_id)


def read_role_ahead(tx: Tx, credential: Credential) -> None:
    tx.read_ahead(BY_KIND[credential.kind], id=credential.id)


def role_of(tx: Tx, credential: Credential) -> str | None:
    """The role of the member it speaks for; None where it was revoked, or they are no member."""
    row = tx.one(BY_KIND[credential.kind], id=credential.id)
    role: str | None = row[0] if row else None
    return role
