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
FENCE_FLOOR = "fence_floor"  # written by a restore
V1_SECRETS = "may_hold_v1_secrets"  # written by the migration secret_box
READ_FINGERPRINT = f"SELECT value FROM installation WHERE name = '{FINGERPRINT}'"


class WrongSecret(Exception):
    """This process has another secret than those that wrote the database before, or none."""


def check_secret_matches_database(tx: Tx, secret: bytes) -> None:
    """Another secret would break every signed link and seal, so it is found at the start."""
    if not is_fingerprint_of(_get_or_set(tx, FINGERPRINT, fingerprint(secret)), secret):
        raise WrongSecret(
            "The secret key differs from the one this database was made with. Set PENDESK_SECRET_KEY to the old "
            "value, or put the old secret.key back into the data folder; all processes of a database share one."
        )


def secret_fingerprint(tx: Tx) -> str | None:
    """Of the secret that the database is bound to; None before its first start."""
    row = tx.one(READ_FINGERPRINT)
    return row[0] if row else None


def replace_secret_fingerprint(tx: Tx, new_secret: bytes) -> None:
    tx.run(SET, name=FINGERPRINT, value=fingerprint(new_secret))


def may_contain_v1_encrypted_secrets(tx: Tx) -> bool:
    """Whether tokens encrypted in the first form (secret_box.py) may be left."""
    return tx.one(READ, name=V1_SECRETS) is not None


def try_clear_v1_encrypted_secrets_flag(tx: Tx) -> bool:
    """False where another process was first."""
    return bool(tx.run_returning(DELETE, name=V1_SECRETS))


def get_or_set_first_workspace_id(tx: Tx, proposed_id: str) -> str:
    """The first workspace's id: the proposed one if this call is what decides it."""
    return _get_or_set(tx, "first_workspace", proposed_id)


def find_first_workspace_id(tx: Tx) -> str | None:
    row = tx.one(READ, name="first_workspace")
    return row[0] if row else None


def fence_floor(tx: Tx) -> int:
    """Every fence that may have been given before the last restore is at most this."""
    row = tx.one(READ, name=FENCE_FLOOR)
    return int(row[0]) if row else 0


def check_writable(tx: Tx) -> None:
    tx.run(SET, name="checked_at", value=str(tx.now))


def _get_or_set(tx: Tx, name: str, value: str) -> str:
    tx.run(CLAIM, name=name, value=value)
    row = tx.one(READ, name=name)
    assert row is not None
    stored: str = row[0]
    return stored
