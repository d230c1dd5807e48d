"""find_device: the program that waits under the code a person typed."""

from pendesk.domain import limits, oauth
from pendesk.domain.oauth import Device
from pendesk.operations.oauth.user_codes import device_of
from pendesk.operations.operation import Answer, Installation, Kind, PrivilegedCall, SecretOperation


def check(_installation: Installation, typed: str) -> Answer[None] | None:
    return Answer(None) if len(oauth.read_user_code(typed)) != limits.USER_CODE_LETTERS else None


def find(call: PrivilegedCall, typed: str) -> Answer[Device | None]:
    device = device_of(call, oauth.read_user_code(typed))
    waits = device is not None and device.state == "pending" and device.expires_at > call.now
    return Answer(device if waits else None)


OPERATION: SecretOperation[str, None, Device | None] = SecretOperation(
    name="find_device",
    title="Find a waiting device",
    description="The device that waits under this code, or None.",
    input=str,
    output=Device | None,
    kind=Kind.READ,
    check=check,
    find=find,
    verify=None,
    run=None,
)
