"""sync_push: bring the mirror on the other server up to date."""

from typing import Literal, NamedTuple

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import ServerData
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, RemoteOperation
from pendesk.operations.outbound import Outbound, no_op_finish
from pendesk.operations.sharing.outgoing_mirror import (
    OutgoingMirror,
    build_mirror_target,
    find_and_lock_publication,
    find_project_and_publication,
    prepare_mirror,
)
from pendesk.operations.sharing.remote_server import PlacedMirror, put_mirror
from pendesk.store import publications


class SyncPush(Input):
    project_id: ProjectId


class Pushed(Output):
    """reason: sent; unchanged, so nothing was sent; newer_there: it has a mirror that was drawn later."""

    project_id: str
    server_url: str
    pushed: bool
    reason: Literal["sent", "unchanged", "newer_there"]


class Push(NamedTuple):
    outgoing: OutgoingMirror
    changed: bool


def prepare(call: Call, args: SyncPush) -> Push:
    project, publication = find_project_and_publication(call, args.project_id)
    drawn = prepare_mirror(call, project, build_mirror_target(call, publication), publication.share_id)
    return Push(drawn, drawn.digest != publication.digest)


async def send(outbound: Outbound, push: Push) -> PlacedMirror | None:
    if not push.changed:
        return None
    drawn = push.outgoing
    return await put_mirror(outbound, drawn.target, drawn.content, drawn.drawn_at, create=False)


def record(call: Call, args: SyncPush, push: Push, placed: PlacedMirror | None) -> Pushed:
    project, publication = find_and_lock_publication(call, args.project_id, push.outgoing.share_id)
    reason: Literal["sent", "unchanged", "newer_there"] = "unchanged"
    if placed is not None:
        reason = "newer_there" if placed.held_newer else "sent"
    if reason == "sent":
        publications.record_mirror_push(call.tx, project.id, push.outgoing.digest)
        call.record(Event("project.pushed", project.id, project.id, data=ServerData(server_url=publication.server_url)))
    return Pushed(project_id=project.id, server_url=publication.server_url, pushed=reason == "sent", reason=reason)


OPERATION = Operation(
    name="sync_push",
    title="Push changes",
    description=(
        "Bring a published mirror up to date. Refused: 422 not published, token refused; 502 no answer: try later."
    ),
    input=SyncPush,
    output=Pushed,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=RemoteOperation(prepare=prepare, send=send, record=record, finish=no_op_finish),
)
