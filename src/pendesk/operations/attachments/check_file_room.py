"""check_file_room: whether a file of this size may be added, before its bytes are received. put_attachment decides."""

from typing import NamedTuple

from pendesk.domain.access import Actor
from pendesk.domain.file_quota import check_room_for_file
from pendesk.operations.operation import PrivilegedCall, ServerOperation, Transactions
from pendesk.store import attachments


class CheckFileRoom(NamedTuple):
    actor: Actor
    size_bytes: int


async def run(transactions: Transactions, args: CheckFileRoom) -> None:
    def check(call: PrivilegedCall) -> None:
        use = attachments.used_bytes(call.tx, args.actor.user_id)
        check_room_for_file(use, args.size_bytes, call.limits, by_token=args.actor.token_id is not None)

    await transactions.long_read(args.actor.workspace_id, check)


OPERATION = ServerOperation(
    name="check_file_room",
    title="Check the room for a file",
    description="Refused where the workspace, or the account of a token, has no room for a file of this size.",
    input=CheckFileRoom,
    output=None,
    run=run,
)
