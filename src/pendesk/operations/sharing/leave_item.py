"""leave_item: a guest sends a request through the link of a project."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.guest_request import GuestRequest, clean_guest_line, clean_guest_title
from pendesk.domain.hidden_characters import remove_hidden
from pendesk.domain.limits import MESSAGE_CHARS, NAME_CHARS
from pendesk.domain.publication import Mirror, MirrorGuestRequest
from pendesk.domain.share import Share, check_accepts_another_guest_request
from pendesk.ids import new_id
from pendesk.operations.fields import Label
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.sharing.guests import Secret, find_share_or_mirror_by_link
from pendesk.store import guest_requests, mirrors, shares


class LeaveItem(Input):
    secret: Secret
    title: Annotated[Label, Meta(description="What it is about, in one line.")]
    body: Annotated[str, Meta(max_length=MESSAGE_CHARS)] = ""
    guest_name: Annotated[str, Meta(max_length=NAME_CHARS, pattern=r"\A[^\r\n]*\Z")] = ""


class ItemLeft(Output):
    received: bool


def run(call: Call, args: LeaveItem) -> ItemLeft:
    opened = _find_and_lock_link_target(call, args.secret)
    if isinstance(opened, Mirror):
        _add_guest_request_to_mirror(call, opened, args)
    else:
        _add_guest_request_to_share(call, opened, args)
    return ItemLeft(received=True)


def _find_and_lock_link_target(call: Call, link_secret: str) -> Share | Mirror:
    """Those who write at once are counted one after the other, and a link that ends meanwhile has ended."""
    opened = find_share_or_mirror_by_link(call, link_secret)
    if isinstance(opened, Mirror):
        mirrors.lock(call.tx, opened.source_id)
    else:
        shares.lock(call.tx, opened.id)
    return find_share_or_mirror_by_link(call, link_secret)


def _add_guest_request_to_share(call: Call, share: Share, args: LeaveItem) -> None:
    check_accepts_another_guest_request(bool(share.takes_items), guest_requests.count_pending(call.tx, share.id))
    guest_request = GuestRequest(
        id=new_id(),
        project_id=share.project_id,
        share_id=share.id,
        guest_name=clean_guest_line(args.guest_name),
        body=remove_hidden(args.body),
        status="pending",
        created_at=call.now,
        triaged_by=None,
        triaged_at=None,
        action_id=None,
        title=clean_guest_title(args.title),
        source_id=None,
    )
    guest_requests.add(call.tx, guest_request)
    # Without the guest's words: the log is read by those who follow it.
    call.record(Event("submission.received", guest_request.id, guest_request.project_id, data={"share": share.id}))


def _add_guest_request_to_mirror(call: Call, mirror: Mirror, args: LeaveItem) -> None:
    check_accepts_another_guest_request(True, mirrors.count_guest_requests(call.tx, mirror.id))
    guest_request = MirrorGuestRequest(
        id=new_id(),
        picture_id=mirror.id,
        guest_name=clean_guest_line(args.guest_name),
        title=clean_guest_title(args.title),
        body=remove_hidden(args.body),
        created_at=call.now,
    )
    mirrors.add_guest_request(call.tx, guest_request)
    call.record(Event("submission.received", guest_request.id, data={"picture": mirror.id}))


OPERATION = Operation(
    name="leave_item",
    title="Leave a message",
    description=(
        "A guest's message about what the link shows; someone there reads it and decides. Refused: 404 "
        "the link is unknown or has ended, 422 it takes no messages, 429 too many wait."
    ),
    input=LeaveItem,
    output=ItemLeft,
    scope=Scope.GUEST,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
