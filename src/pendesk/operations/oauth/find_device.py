"""find_device: the program that waits under the code a person typed."""

from pendesk.domain import limits, oauth
from pendesk.domain.oauth import DeviceAuthorization
from pendesk.operations.oauth.user_codes import device_by_user_code
from pendesk.operations.operation import Answer, Installation, Kind, PrivilegedCall, SecretOperation


def check(_installation: Installation, typed_code: str) -> Answer[None] | None:
    return Answer(None) if len(oauth.normalize_user_code(typed_code)) != limits.USER_CODE_LETTERS else None


def find(call: PrivilegedCall, typed_code: str) -> Answer[DeviceAuthorization | None]:
    device = device_by_user_code(call, oauth.normalize_user_code(typed_code))
    waits = device is not None and device.state == "pending" and device.expires_at > call.now
    return Answer(device if waits else None)


OPERATION: SecretOperation[str, None, DeviceAuthorization | None] = SecretOperation(
    name="find_device",
    title="Find a waiting device",
    description="The device that waits under this code, or None.",
    input=str,
    output=DeviceAuthorization | None,
    kind=Kind.READ,
    check=check,
    find=find,
    verify=None,
    run=None,
)
