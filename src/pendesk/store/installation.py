"""Facts about the whole installation: who was first, which secret it uses, whether it can be written."""

from pendesk.domain.signature import fingerprint, is_fingerprint_of
from pendesk.store.engine.tx import Tx

# Of several processes that start together one writes; the others read what it wrote.
CLAIM = "INSERT INTO installation (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING"
READ = "SELECT value FROM installation WHERE name = :name"
SET = """
INSERT INTO installation (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""
DELETE = "DELETE FROM installation WHERE name = :name RETURNING name"
FINGERPRINT = "secret_fingerprint"
V1_SECRETS = "may_hold_v1_secrets"  # written by the migration secret_box
READ_FINGERPRINT = f"SELECT value FROM installation WHERE name = '{FINGERPRINT}'"


class WrongSecret(Exception):
    """This process has another secret than those that wrote the database before, or none."""


def check_secret(tx: Tx, key: bytes) -> None:
    """Another secret would break every signed link and seal, so it is found at the start."""
    if not is_fingerprint_of(_first(tx, FINGERPRINT, fingerprint(key)), key):
        raise WrongSecret(
            "The secret key differs from the one this database was made with. Set PENDESK_SECRET_KEY to the old "
            "value, or put the old secret.key back into the data folder; all processes of a database share one."
        )


def secret_fingerprint(tx: Tx) -> str | None:
    """Of the secret that the database is bound to; None before its first start."""
    row = tx.one(READ_FINGERPRINT)
    return row[0] if row else None


def replace_secret(tx: Tx, key: bytes) -> None:
    tx.run(SET, name=FINGERPRINT, value=fingerprint(key))


def may_hold_v1_secrets(tx: Tx) -> bool:
    """Whether tokens encrypted in the first form (secret_box.py) may be left."""
    return tx.one(READ, name=V1_SECRETS) is not None


def delete_v1_mark(tx: Tx) -> bool:
    """False where another process was first."""
    return tx.one(DELETE, name=V1_SECRETS) is not None


def first_workspace(tx: Tx, proposed: str) -> str:
    """The first workspace's id: the proposed one if this call is what decides it."""
    return _first(tx, "first_workspace", proposed)


def find_first_workspace(tx: Tx) -> str | None:
    row = tx.one(READ, name="first_workspace")
    return row[0] if row else None


def check_writable(tx: Tx) -> None:
    tx.run(SET, name="checked_at", value=str(tx.now))


def _first(tx: Tx, name: str, value: str) -> str:
    tx.run(CLAIM, name=name, value=value)
    row = tx.one(READ, name=name)
    assert row is not None
    stored: str = row[0]
    return stored
