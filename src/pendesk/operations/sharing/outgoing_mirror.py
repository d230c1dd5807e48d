"""What publishing, pushing and pulling have in common: a project of ours, its mirror, and where that is."""

import hashlib

import msgspec

from pendesk.domain.errors import Advice, RuleBroken
from pendesk.domain.project import Project
from pendesk.domain.publication import Publication
from pendesk.operations.operation import Call, encode_json
from pendesk.operations.projects.find import find_and_lock_project, find_project
from pendesk.operations.sharing.mirror_json import ShownProject, to_shown_project
from pendesk.operations.sharing.mirror_source import build_project_mirror
from pendesk.operations.sharing.publication_token import decrypt_token
from pendesk.operations.sharing.remote_server import MirrorTarget
from pendesk.secret_box import CannotDecrypt
from pendesk.store import publications


class OutgoingMirror(msgspec.Struct, frozen=True):
    """A mirror on its way to another server. It holds a token, so it is never shown."""

    target: MirrorTarget
    share_id: str
    content: ShownProject
    digest: str
    drawn_at: int


def prepare_mirror(call: Call, project: Project, target: MirrorTarget, share_id: str) -> OutgoingMirror:
    """Without documents: whoever publishes was not asked about them."""
    content = to_shown_project(build_project_mirror(call, project, with_documents=False))
    digest = hashlib.sha256(encode_json(content)).hexdigest()
    return OutgoingMirror(target, share_id, content, digest, call.now)


def find_project_and_publication(call: Call, project_id_or_key: str) -> tuple[Project, Publication]:
    project = find_project(call, project_id_or_key)
    return project, _require_publication(call, project)


def find_and_lock_publication(
    call: Call, project_id_or_key: str, expected_share_id: str
) -> tuple[Project, Publication]:
    """Locked, and still at the address that was asked."""
    project = find_and_lock_project(call, project_id_or_key)
    publication = _require_publication(call, project)
    if publication.share_id != expected_share_id:
        raise RuleBroken(
            f"{project.key} was published anew meanwhile. Nothing was changed; call again.", code="published_anew"
        )
    return project, publication


def build_mirror_target(call: Call, publication: Publication) -> MirrorTarget:
    try:
        token = decrypt_token(call.installation.signing_key, call.actor.workspace_id, publication)
    except CannotDecrypt:
        raise RuleBroken(
            "The token for the other server cannot be read: this server's key has changed. Ask your user for one.",
            code="token_unreadable",
            advice=(Advice("Publish the project again with publish_project and the token.", ("publish_project",)),),
            person_message="The token for the other server can no longer be read. Publish again, with a token.",
        ) from None
    return MirrorTarget(publication.server_url, token, publication.project_id)


def _require_publication(call: Call, project: Project) -> Publication:
    publication = publications.of_project(call.tx, project.id)
    if publication is None:
        raise RuleBroken(
            f"{project.key} is not published on another server. Ask your user where to publish it.",
            code="not_published",
            advice=(Advice("publish_project takes that server's address and a token of it.", ("publish_project",)),),
            person_message=f"{project.key} is not published on another server. Publish it there first.",
        )
    return publication
