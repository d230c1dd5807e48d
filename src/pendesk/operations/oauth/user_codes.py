"""The short code that a person types for a program without a browser. Only its MAC is stored."""

from pendesk.domain.oauth import DeviceAuthorization
from pendesk.domain.signature import sign
from pendesk.operations.operation import Call
from pendesk.store import devices


def device_by_user_code(call: Call, user_code: str) -> DeviceAuthorization | None:
    return devices.by_user_code(call.tx, user_code_hmac(call, user_code))


def user_code_hmac(call: Call, user_code: str) -> str:
    return sign(call.installation.signing_key, "device", user_code)
