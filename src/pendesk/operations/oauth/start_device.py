"""start_device: a program without a browser (RFC 8628) begins to wait for a person's consent."""

import secrets
from typing import NamedTuple

from pendesk.domain import limits, oauth, token
from pendesk.domain.oauth import DeviceAuthorization, OAuthClient
from pendesk.operations.oauth.user_codes import device_by_user_code, user_code_hmac
from pendesk.operations.operation import Call, Kind, PrivilegedCall, SecretOperation
from pendesk.store import devices

RANDOM_BYTES = 16


class StartDevice(NamedTuple):
    client: OAuthClient
    scopes: str
    resource: str


class StartedDevice(NamedTuple):
    device_code: str
    user_code: str


def run(call: PrivilegedCall, args: StartDevice, _match: None) -> StartedDevice:
    secret = token.make_token(secrets.token_bytes(token.RANDOM_BYTES), token.DEVICE_PREFIX)
    user_code = _new_user_code(call)
    device = DeviceAuthorization(
        hash=token.hash_secret(secret),
        user_code_mac=user_code_hmac(call, user_code),
        client_id=args.client.id,
        client_name=args.client.name,
        scopes=args.scopes,
        resource=args.resource,
        expires_at=call.now + limits.DEVICE_US,
        interval_s=limits.POLL_S,
        polled_at=None,
        state="pending",
        workspace_id=None,
        user_id=None,
    )
    devices.add(call.tx, device)
    return StartedDevice(secret, oauth.format_user_code(user_code))


def _new_user_code(call: Call) -> str:
    while True:
        code = oauth.make_user_code(secrets.token_bytes(RANDOM_BYTES))
        if device_by_user_code(call, code) is None:
            return code


OPERATION: SecretOperation[StartDevice, None, StartedDevice] = SecretOperation(
    name="start_device",
    title="Start a device sign-in",
    description="The code that the program polls with, and the one that a person types.",
    input=StartDevice,
    output=StartedDevice,
    kind=Kind.WRITE,
    check=None,
    find=None,
    verify=None,
    run=run,
)
