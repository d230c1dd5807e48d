"""Guest requests by their id. What cannot be seen is the same as what is not there."""

from pendesk.domain.errors import NotFound
from pendesk.domain.guest_request import GuestRequest
from pendesk.ids import parse_id
from pendesk.operations.operation import Call
from pendesk.store import guest_requests, projects


def find_and_lock_guest_request(call: Call, guest_request_id: str) -> GuestRequest:
    """The project is locked before it: accepting takes a ref number, and the project always comes first."""
    pid = parse_id(guest_request_id)
    guest_request = guest_requests.by_id(call.tx, pid) if pid else None
    if guest_request is None:
        raise NotFound("submission", guest_request_id)
    projects.lock(call.tx, guest_request.project_id)
    guest_requests.lock(call.tx, guest_request.id)
    return guest_requests.by_id(call.tx, guest_request.id) or guest_request
