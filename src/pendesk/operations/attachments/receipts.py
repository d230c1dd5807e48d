"""Upload receipts: what a transport gives for bytes that it stored, and put_attachment takes for them.

The signature binds the bytes to the member who sent them and to what they are for: nobody can attach a file by
guessing a key.
"""

from pendesk.domain.access import Actor
from pendesk.domain.errors import BadField
from pendesk.domain.limits import HOUR_US
from pendesk.domain.signature import is_signed, sign
from pendesk.operations.operation import Call, Installation
from pendesk.store.files import Received

RECEIPT_US = HOUR_US


def write_receipt(
    installation: Installation, actor: Actor, received: Received, now: int, purpose: str = "upload"
) -> str:
    told = [received.key, str(received.size_bytes), received.sha256, str(now + RECEIPT_US)]
    signature = sign(installation.signing_key, purpose, actor.workspace_id, actor.user_id, *told)
    return ".".join([*told, signature])


def read_receipt(call: Call, receipt: str, purpose: str = "upload") -> Received:
    *told, signature = receipt.split(".")
    signed = is_signed(
        signature, call.installation.signing_key, purpose, call.actor.workspace_id, call.actor.user_id, *told
    )
    if not signed or len(told) != 4 or int(told[3]) <= call.now:
        raise BadField("receipt", "is not a receipt of a recent upload of yours. Upload the file again.")
    return Received(told[0], int(told[1]), told[2])


def content_of(receipt: str) -> str:
    """The digest of the bytes that a receipt is for, true or not."""
    return ".".join(receipt.split(".")[1:3])
