"""Facts about the whole installation: who was first, which secret it uses, whether it can be written."""

from pendesk.domain.signature import is_signed, sign
from pendesk.store.tx import Tx

# Of several processes that start together one writes; the others read what it wrote.
CLAIM = "INSERT INTO installation (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING"
READ = "SELECT value FROM installation WHERE name = :name"
TOUCH = """
INSERT INTO installation (name, value) VALUES ('checked_at', :value)
ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""


class WrongSecret(Exception):
    """This process has another secret than those that wrote the database before."""


def check_secret(tx: Tx, key: bytes) -> None:
    """Another secret would break every signed link and seal, so it is found at the start."""
    if not is_signed(_first(tx, "secret_fingerprint", sign(key, "fingerprint")), key, "fingerprint"):
        raise WrongSecret(
            "The secret key differs from the one this database was made with. Set PENDESK_SECRET_KEY to the old "
            "value, or put the old secret.key back into the data folder; all processes of a database share one."
        )


def is_known_secret(tx: Tx, key: bytes) -> bool:
    """Whether the secret fits, without writing anything."""
    row = tx.one(READ, name="secret_fingerprint")
    return row is None or is_signed(row[0], key, "fingerprint")


def first_workspace(tx: Tx, proposed: str) -> str:
    """The first workspace's id: the proposed one if this call is what decides it."""
    return _first(tx, "first_workspace", proposed)


def find_first_workspace(tx: Tx) -> str | None:
    row = tx.one(READ, name="first_workspace")
    return row[0] if row else None


def check_writable(tx: Tx) -> None:
    tx.run(TOUCH, value=str(tx.now))


def _first(tx: Tx, name: str, value: str) -> str:
    tx.run(CLAIM, name=name, value=value)
    row = tx.one(READ, name=name)
    assert row is not None
    kept: str = row[0]
    return kept
