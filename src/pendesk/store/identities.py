"""Queries on who people are at an OpenID provider."""

from pendesk.domain.people import User
from pendesk.store.engine.tx import Tx, columns_sql

USER = f"""
SELECT {columns_sql(User, "u")} FROM identities i JOIN users u ON u.id = i.user_id
WHERE i.issuer = :issuer AND i.subject = :subject
"""

OF_USER = "SELECT subject FROM identities WHERE issuer = :issuer AND user_id = :user_id LIMIT 1"

LINK = """
INSERT INTO identities (issuer, subject, user_id, linked_at) VALUES (:issuer, :subject, :user_id, :now)
ON CONFLICT (issuer, subject) DO NOTHING
"""


def user(tx: Tx, issuer: str, subject: str) -> User | None:
    row = tx.one(USER, issuer=issuer, subject=subject)
    return User(*row) if row else None


def is_linked(tx: Tx, issuer: str, user_id: str) -> bool:
    return tx.one(OF_USER, issuer=issuer, user_id=user_id) is not None


def link(tx: Tx, issuer: str, subject: str, user_id: str) -> None:
    tx.run(LINK, issuer=issuer, subject=subject, user_id=user_id, now=tx.now)
