"""publish_project: a read-only mirror of a project on another Pendesk server."""

import secrets
from typing import Annotated

from msgspec import Meta

from pendesk.domain import token
from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import ServerData
from pendesk.domain.limits import KEY_CHARS, ORIGIN_CHARS
from pendesk.domain.project import Project
from pendesk.domain.publication import (
    Publication,
    check_not_published_elsewhere,
    normalize_server_origin,
    strip_and_check_sync_token,
)
from pendesk.domain.share import Share
from pendesk.ids import new_id
from pendesk.operations.access.accounts import owner_id_for_new_item
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, RemoteOperation
from pendesk.operations.outbound import Outbound, no_op_finish
from pendesk.operations.projects.find import find_and_lock_project, find_project
from pendesk.operations.sharing.outgoing_mirror import OutgoingMirror, prepare_mirror
from pendesk.operations.sharing.publication_token import encrypt_token
from pendesk.operations.sharing.remote_server import MirrorTarget, PlacedMirror, check_server_compatible, put_mirror
from pendesk.store import publications, shares


class PublishProject(Input):
    # No idempotency_key: calling again is safe, and what is remembered would hold the link.
    project_id: ProjectId
    server_url: Annotated[str, Meta(min_length=1, max_length=ORIGIN_CHARS, description="e.g. https://desk.example.com")]
    sync_token: Annotated[str, Meta(min_length=1, max_length=KEY_CHARS, description="That server's, with desk.write.")]


class Published(Output):
    """url: what to give to guests."""

    project_id: str
    server_url: str
    url: str


def prepare(call: Call, args: PublishProject) -> OutgoingMirror:
    project = find_project(call, args.project_id)
    where = MirrorTarget(
        normalize_server_origin(args.server_url), strip_and_check_sync_token(args.sync_token), project.id
    )
    check_not_published_elsewhere(publications.of_project(call.tx, project.id), where.server_url, project.key)
    return prepare_mirror(call, project, where, "")


async def send(outbound: Outbound, outgoing: OutgoingMirror) -> PlacedMirror:
    await check_server_compatible(outbound, outgoing.target.server_url)
    return await put_mirror(outbound, outgoing.target, outgoing.content, outgoing.drawn_at, create=True)


def record(call: Call, args: PublishProject, outgoing: OutgoingMirror, placed: PlacedMirror) -> Published:
    owner_id = owner_id_for_new_item(call, "share")
    project = find_and_lock_project(call, args.project_id)
    existing = publications.of_project(call.tx, project.id)
    check_not_published_elsewhere(existing, outgoing.target.server_url, project.key)
    publication = _new_publication(call, project, outgoing, existing.share_id if existing else new_id())
    if existing is None:
        shares.add(call.tx, _new_share(call, publication, owner_id))
        publications.add(call.tx, publication)
    else:
        # With another token, perhaps: whoever brings it answers for the publication from now on.
        publications.record_republish(call.tx, publication)
        shares.set_owner(call.tx, publication.share_id, owner_id)
    call.record(Event("project.published", project.id, project.id, data=ServerData(server_url=publication.server_url)))
    return Published(project_id=project.id, server_url=publication.server_url, url=placed.url)


def _new_publication(call: Call, project: Project, outgoing: OutgoingMirror, share_id: str) -> Publication:
    without_token = Publication(
        project_id=project.id,
        share_id=share_id,
        server_url=outgoing.target.server_url,
        sealed_token="",
        digest=outgoing.digest,
        published_by=call.actor.user_id,
        pushed_at=call.now,
        pulled_at=None,
    )
    key, workspace_id = call.installation.signing_key, call.actor.workspace_id
    return without_token._replace(sealed_token=encrypt_token(key, workspace_id, without_token, outgoing.target.token))


def _new_share(call: Call, publication: Publication, owner_id: str) -> Share:
    """So that list_shares shows it and revoke_share ends it. Its hash is of a secret that nobody has."""
    return Share(
        id=publication.share_id,
        project_id=publication.project_id,
        action_id=None,
        hash=token.hash_secret(secrets.token_hex(token.RANDOM_BYTES)),
        takes_items=1,
        with_documents=0,
        server_url=publication.server_url,
        created_by=call.actor.user_id,
        owner_id=owner_id,
        created_at=call.now,
        expires_at=None,
        revoked_at=None,
    )


OPERATION = Operation(
    name="publish_project",
    title="Publish on another server",
    description=(
        "Show guests a read-only mirror of the project on another Pendesk server; gives their link. Only if the "
        "user asks: it becomes public. Refused: 422 bad address or token, published elsewhere; 502 no answer: try "
        "later."
    ),
    input=PublishProject,
    output=Published,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=RemoteOperation(prepare=prepare, send=send, record=record, finish=no_op_finish),
)
