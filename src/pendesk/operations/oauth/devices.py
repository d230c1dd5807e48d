"""A program without a browser (RFC 8628): it asks, a person lets it in on another screen, it polls."""

import secrets
from typing import NamedTuple

from pendesk.clock import MICROSECONDS
from pendesk.domain import limits, oauth, token
from pendesk.domain.errors import OAuthRefused
from pendesk.domain.oauth import Client, Device
from pendesk.domain.signature import sign
from pendesk.operations.dispatch import Store
from pendesk.operations.oauth.issue import Issued, acting, begin_grant, invalid_grant
from pendesk.operations.operation import Installation
from pendesk.store import devices, people
from pendesk.store.engine.tx import Tx

RANDOM_BYTES = 16
PENDING = ("authorization_pending", "Nobody has agreed yet. Ask again after the interval.")
TOO_FAST = ("slow_down", "Too soon. Wait five seconds longer between two questions from now on.")
DENIED = ("access_denied", "The person said no.")
EXPIRED = ("expired_token", "Nobody agreed in time. Start again.")


class Started(NamedTuple):
    device_code: str
    user_code: str


async def start_device(store: Store, installation: Installation, client: Client, scopes: str, resource: str) -> Started:
    secret = token.write_token(secrets.token_bytes(token.RANDOM_BYTES), token.DEVICE_PREFIX)

    def work(tx: Tx) -> Started:
        user_code = _unused_code(tx, installation)
        device = Device(
            hash=token.digest(secret),
            user_code_mac=_mac(installation, user_code),
            client_id=client.id,
            client_name=client.name,
            scopes=scopes,
            resource=resource,
            expires_at=tx.now + limits.DEVICE_US,
            interval_s=limits.POLL_S,
            polled_at=None,
            state="pending",
            workspace_id=None,
            user_id=None,
        )
        devices.add(tx, device)
        return Started(secret, oauth.show_user_code(user_code))

    return await store.write("", work)


async def find_device(store: Store, installation: Installation, typed: str) -> Device | None:
    """The one that waits under the code a person typed."""
    code = oauth.read_user_code(typed)
    if len(code) != limits.USER_CODE_LETTERS:
        return None

    def work(tx: Tx) -> Device | None:
        device = devices.by_user_code(tx, _mac(installation, code))
        waits = device is not None and device.state == "pending" and device.expires_at > tx.now
        return device if waits else None

    return await store.read("", work)


async def poll_device(store: Store, installation: Installation, device_code: str, client_id: str) -> Issued:
    device_hash = token.digest(device_code)
    found = None
    if token.is_token(device_code, token.DEVICE_PREFIX):
        found = await store.read("", lambda tx: devices.by_hash(tx, device_hash))
    if found is None or found.client_id != client_id:
        raise invalid_grant()

    def work(tx: Tx) -> Issued | OAuthRefused:
        if found.user_id is not None:
            people.lock_member(tx, found.user_id)
        devices.lock(tx, device_hash)
        device = devices.by_hash(tx, device_hash)
        return _poll(tx, installation, device) if device else invalid_grant()

    answer = await store.write(found.workspace_id or "", work)
    if isinstance(answer, OAuthRefused):
        raise answer
    return answer


def _poll(tx: Tx, installation: Installation, device: Device) -> Issued | OAuthRefused:
    """A refusal is given back, not raised: the time of the question must be saved."""
    if device.state == "used":
        return invalid_grant()
    if device.expires_at <= tx.now:
        devices.move(tx, device.hash, "denied")  # for good, also when the clock is set back
        return OAuthRefused(*EXPIRED)
    if device.state == "denied":
        return OAuthRefused(*DENIED)
    # Agreed to since we looked: this transaction is not of that workspace, the next question's will be.
    if device.state == "pending" or device.workspace_id != tx.workspace:
        return _wait(tx, device)
    return _give(tx, installation, device)


def _wait(tx: Tx, device: Device) -> OAuthRefused:
    interval = device.interval_s
    too_fast = device.polled_at is not None and tx.now - device.polled_at < interval * MICROSECONDS
    devices.save_polled(tx, device.hash, interval + limits.POLL_S if too_fast else interval)
    return OAuthRefused(*(TOO_FAST if too_fast else PENDING))


def _give(tx: Tx, installation: Installation, device: Device) -> Issued | OAuthRefused:
    devices.move(tx, device.hash, "used")
    call = acting(tx, installation, device.user_id or "")
    if call is None:
        return OAuthRefused(*DENIED)
    _grant, issued = begin_grant(
        call,
        client_id=device.client_id,
        client_name=device.client_name,
        scopes=device.scopes,
        resource=device.resource,
    )
    return issued


def _unused_code(tx: Tx, installation: Installation) -> str:
    while True:
        code = oauth.write_user_code(secrets.token_bytes(RANDOM_BYTES))
        if devices.by_user_code(tx, _mac(installation, code)) is None:
            return code


def _mac(installation: Installation, user_code: str) -> str:
    return sign(installation.signing_key, "device", user_code)
