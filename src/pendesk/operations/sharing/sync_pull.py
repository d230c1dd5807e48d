"""sync_pull: fetch what guests sent through the mirror on the other server, each once."""

from typing import NamedTuple

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.guest_request import GuestRequest
from pendesk.domain.publication import Publication, check_guest_request_limit
from pendesk.ids import new_id
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, RemoteOperation
from pendesk.operations.outbound import Outbound
from pendesk.operations.sharing.outgoing_mirror import (
    build_mirror_target,
    find_and_lock_publication,
    find_project_and_publication,
)
from pendesk.operations.sharing.remote_server import (
    FetchedGuestRequest,
    MirrorTarget,
    WaitingGuestRequests,
    acknowledge_guest_requests,
    fetch_guest_requests,
)
from pendesk.store import guest_requests, publications


class SyncPull(Input):
    project_id: ProjectId


class Pulled(Output):
    """received: how many are new here. more: call again for the rest."""

    project_id: str
    server_url: str
    received: int
    more: bool


class Pull(NamedTuple):
    where: MirrorTarget
    share_id: str


def prepare(call: Call, args: SyncPull) -> Pull:
    _project, publication = find_project_and_publication(call, args.project_id)
    check_guest_request_limit(guest_requests.count_pending(call.tx, publication.share_id))
    return Pull(build_mirror_target(call, publication), publication.share_id)


async def send(outbound: Outbound, pull: Pull) -> WaitingGuestRequests:
    return await fetch_guest_requests(outbound, pull.where)


def record(call: Call, args: SyncPull, pull: Pull, waiting: WaitingGuestRequests) -> Pulled:
    """Whoever pulls at the same time waits for the project's lock, and then finds them known."""
    project, publication = find_and_lock_publication(call, args.project_id, pull.share_id)
    known_ids = guest_requests.filter_received_source_request_ids(
        call.tx, publication.share_id, [item.item_id for item in waiting.items]
    )
    new = {item.item_id: item for item in waiting.items if item.item_id not in known_ids}
    for item in new.values():
        _add_guest_request(call, publication, item)
    publications.set_guest_requests_last_pulled_at(call.tx, project.id)
    return Pulled(project_id=project.id, server_url=publication.server_url, received=len(new), more=waiting.more)


async def finish(outbound: Outbound, pull: Pull, waiting: WaitingGuestRequests) -> None:
    """Once they are safe here they may go there."""
    if waiting.items:
        await acknowledge_guest_requests(outbound, pull.where, [item.item_id for item in waiting.items])


def _add_guest_request(call: Call, publication: Publication, fetched: FetchedGuestRequest) -> None:
    guest_request = GuestRequest(
        id=new_id(),
        project_id=publication.project_id,
        share_id=publication.share_id,
        guest_name=fetched.guest_name,
        body=fetched.body,
        status="pending",
        created_at=call.now,
        triaged_by=None,
        triaged_at=None,
        action_id=None,
        title=fetched.title,
        source_id=fetched.item_id,
    )
    guest_requests.add(call.tx, guest_request)
    call.record(
        Event("submission.received", guest_request.id, publication.project_id, data={"share": guest_request.share_id})
    )


OPERATION = Operation(
    name="sync_pull",
    title="Pull guests' items",
    description=(
        "Fetch what guests left on a published mirror, for list_submissions. If more is true, call again. "
        "Refused: 422 not published, token refused, inbox full; 502 no answer: try later."
    ),
    input=SyncPull,
    output=Pulled,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=RemoteOperation(prepare=prepare, send=send, record=record, finish=finish),
)
