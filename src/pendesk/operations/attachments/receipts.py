"""Upload receipts: what a transport gives for bytes that it stored, and put_attachment takes for them.

The signature binds the bytes to the member who sent them and to what they are for: nobody can attach a file by
guessing a key.
"""

from pendesk.domain.access import Actor
from pendesk.domain.errors import BadField
from pendesk.domain.limits import HOUR_US
from pendesk.domain.project import ReceivedFile
from pendesk.domain.signature import is_valid_signature, sign
from pendesk.operations.operation import Call, Installation

RECEIPT_US = HOUR_US


def make_signed_file_receipt(
    installation: Installation, actor: Actor, received: ReceivedFile, now: int, purpose: str = "upload"
) -> str:
    fields = [received.key, str(received.size_bytes), received.sha256, str(now + RECEIPT_US)]
    signature = sign(installation.signing_key, purpose, actor.workspace_id, actor.user_id, *fields)
    return ".".join([*fields, signature])


def verify_receipt(call: Call, receipt: str, purpose: str = "upload") -> ReceivedFile:
    *fields, signature = receipt.split(".")
    signed = is_valid_signature(
        signature, call.installation.signing_key, purpose, call.actor.workspace_id, call.actor.user_id, *fields
    )
    if not signed or len(fields) != 4 or int(fields[3]) <= call.now:
        raise BadField("receipt", "is not a receipt of a recent upload of yours. Upload the file again.")
    return ReceivedFile(fields[0], int(fields[1]), fields[2])


def size_and_sha256_part_of_receipt(receipt: str) -> str:
    """The digest of the bytes that a receipt is for, true or not."""
    return ".".join(receipt.split(".")[1:3])
