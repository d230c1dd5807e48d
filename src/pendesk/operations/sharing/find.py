"""Guest requests by their id. What cannot be seen is the same as what is not there."""

from pendesk.domain.errors import NotFound
from pendesk.domain.guest_request import InboxItem
from pendesk.ids import parse_id
from pendesk.operations.operation import Call
from pendesk.store import guest_requests, projects


def lock_submission(call: Call, ident: str) -> InboxItem:
    """The project is locked before it: accepting takes a ref number, and the project always comes first."""
    pid = parse_id(ident)
    item = guest_requests.by_id(call.tx, pid) if pid else None
    if item is None:
        raise NotFound("submission", ident)
    projects.lock(call.tx, item.project_id)
    guest_requests.lock(call.tx, item.id)
    return guest_requests.by_id(call.tx, item.id) or item
