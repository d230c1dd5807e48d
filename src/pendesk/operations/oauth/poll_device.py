"""poll_device: a program without a browser (RFC 8628) asks whether a person has agreed, and then gets its tokens."""

from typing import NamedTuple

from pendesk.clock import MICROSECONDS
from pendesk.domain import limits, token
from pendesk.domain.errors import OAuthRefused
from pendesk.domain.oauth import DeviceAuthorization
from pendesk.operations.oauth.issue import (
    IssuedTokens,
    create_grant_and_tokens,
    invalid_grant_error,
    try_act_as_member,
    unknown_grant_error,
)
from pendesk.operations.operation import Installation, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import devices, people
from pendesk.store.engine.tx import Tx

PENDING = ("authorization_pending", "Waiting for a person to agree. Poll again after the interval.")
TOO_FAST = ("slow_down", "Polled too soon. Wait five seconds longer between two polls from now on.")
DENIED = ("access_denied", "The person denied the request.")
EXPIRED = ("expired_token", "Nobody agreed in time. Start again.")


class PollDevice(NamedTuple):
    device_code: str
    client_id: str


def check(_installation: Installation, args: PollDevice) -> None:
    if not token.has_token_format(args.device_code, token.DEVICE_PREFIX):
        raise unknown_grant_error()


def find(call: PrivilegedCall, args: PollDevice) -> Match[DeviceAuthorization]:
    device = devices.by_hash(call.tx, token.hash_secret(args.device_code))
    if device is None or device.client_id != args.client_id:
        raise unknown_grant_error()
    return Match(device.workspace_id or "", device)


def run(call: PrivilegedCall, _args: PollDevice, match: DeviceAuthorization) -> IssuedTokens | OAuthRefused:
    """A refusal is returned, not raised: the time of the poll must be saved."""
    if match.user_id is not None:
        people.lock_member(call.tx, match.user_id)
    devices.lock(call.tx, match.hash)
    device = devices.by_hash(call.tx, match.hash)
    if device is None or device.state == "used":
        return invalid_grant_error()
    if device.expires_at <= call.now:
        devices.set_state(call.tx, device.hash, "denied")  # for good, also when the clock is set back
        return OAuthRefused(*EXPIRED)
    if device.state == "denied":
        return OAuthRefused(*DENIED)
    # Agreed to since we looked: this transaction is not of that workspace, the next poll's will be.
    if device.state == "pending" or device.workspace_id != call.tx.workspace:
        return _save_poll_and_build_refusal(call.tx, device)
    return _issue_tokens(call, device)


def _save_poll_and_build_refusal(tx: Tx, device: DeviceAuthorization) -> OAuthRefused:
    interval = device.interval_s
    too_fast = device.polled_at is not None and tx.now - device.polled_at < interval * MICROSECONDS
    devices.record_poll_time_and_interval(tx, device.hash, interval + limits.POLL_S if too_fast else interval)
    return OAuthRefused(*(TOO_FAST if too_fast else PENDING))


def _issue_tokens(call: PrivilegedCall, device: DeviceAuthorization) -> IssuedTokens | OAuthRefused:
    devices.set_state(call.tx, device.hash, "used")
    if not try_act_as_member(call, device.user_id or ""):
        return OAuthRefused(*DENIED)
    _grant, issued = create_grant_and_tokens(
        call,
        client_id=device.client_id,
        client_name=device.client_name,
        scopes=device.scopes,
        resource=device.resource,
    )
    return issued


OPERATION = SecretOperation(
    name="poll_device",
    title="Poll a device sign-in",
    description="The tokens, once a person has agreed; refused until then.",
    input=PollDevice,
    output=IssuedTokens,
    kind=Kind.WRITE,
    check=check,
    find=find,
    verify=None,
    run=run,
)
