"""Queries on programs without a browser that wait for a person to let them in."""

from pendesk.domain import limits
from pendesk.domain.oauth import DeviceAuthorization
from pendesk.store.engine.tx import Tx, columns_sql

_FIELDS = columns_sql(DeviceAuthorization)
ADD = f"INSERT INTO oauth_devices ({_FIELDS}) VALUES ({', '.join(f':{name}' for name in DeviceAuthorization._fields)})"

BY_HASH = f"SELECT {_FIELDS} FROM oauth_devices WHERE hash = :hash"

BY_USER_CODE = f"SELECT {_FIELDS} FROM oauth_devices WHERE user_code_mac = :mac"

LOCK = "SELECT 1 FROM oauth_devices WHERE hash = :hash FOR NO KEY UPDATE"

POLLED = "UPDATE oauth_devices SET polled_at = :now, interval_s = :interval_s WHERE hash = :hash"

DECIDE = """
UPDATE oauth_devices SET state = :state, workspace_id = :workspace_id, user_id = :user_id, scopes = :scopes
WHERE hash = :hash
"""

MOVE = "UPDATE oauth_devices SET state = :state WHERE hash = :hash"

DENY_OF_USER = """
UPDATE oauth_devices SET state = 'denied'
WHERE workspace_id = :workspace AND user_id = :user_id AND state = 'approved'
"""

FORGET = "DELETE FROM oauth_devices WHERE expires_at <= :before"


def add(tx: Tx, device: DeviceAuthorization) -> None:
    tx.run(ADD, **device._asdict())


def by_hash(tx: Tx, device_code_hash: str) -> DeviceAuthorization | None:
    row = tx.one(BY_HASH, hash=device_code_hash)
    return DeviceAuthorization(*row) if row else None


def by_user_code(tx: Tx, user_code_hmac: str) -> DeviceAuthorization | None:
    row = tx.one(BY_USER_CODE, mac=user_code_hmac)
    return DeviceAuthorization(*row) if row else None


def lock(tx: Tx, device_code_hash: str) -> None:
    tx.lock(LOCK, hash=device_code_hash)


def record_poll_time_and_interval(tx: Tx, device_code_hash: str, interval_s: int) -> None:
    tx.run(POLLED, hash=device_code_hash, now=tx.now, interval_s=interval_s)


def save_decision(
    tx: Tx, device_code_hash: str, state: str, workspace_id: str | None, user_id: str | None, scopes: str
) -> None:
    """`scopes` are what the person granted, which may differ from what the device requested."""
    tx.run(DECIDE, hash=device_code_hash, state=state, workspace_id=workspace_id, user_id=user_id, scopes=scopes)


def set_state(tx: Tx, device_code_hash: str, state: str) -> None:
    tx.run(MOVE, hash=device_code_hash, state=state)


def revoke_approvals_by_user(tx: Tx, user_id: str) -> None:
    tx.run(DENY_OF_USER, user_id=user_id)


def delete_expired(tx: Tx) -> None:
    tx.run(FORGET, before=tx.now - limits.HOUR_US)
