"""Messages by what a caller names them with, and whom they are to."""

from pendesk.domain.errors import BadField, NotFound
from pendesk.ids import parse_id
from pendesk.operations.operation import Call
from pendesk.store import messages
from pendesk.store.messages import MessageRow


def find_and_lock_message(call: Call, message_id: str) -> MessageRow:
    pid = parse_id(message_id)
    if pid is not None:
        messages.lock(call.tx, pid)
    row = messages.by_id(call.tx, pid) if pid else None
    if row is None:
        raise NotFound("message", message_id)
    return row


def check_one_recipient(agent_session_id: str | None, action_pid: str | None, project_id: str | None) -> None:
    count = sum(recipient is not None for recipient in (agent_session_id, action_pid, project_id))
    if count != 1:
        raise BadField("action_pid", "give exactly one of agent_session_id, action_pid and project_id.")
