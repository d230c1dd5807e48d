"""put_picture: another server shows a project of its own here, or brings its mirror up to date."""

import hashlib
from typing import Annotated

from msgspec import Meta

from pendesk.domain import limits, token
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound, RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import NamedData
from pendesk.domain.mirror import FORMAT
from pendesk.domain.project import check_count_below_limit
from pendesk.domain.publication import Mirror, check_mirror_not_from_future, derive_mirror_link_secret
from pendesk.ids import new_id, parse_id
from pendesk.operations.access.accounts import owner_id_for_new_item
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, encode_json
from pendesk.operations.sharing.mirror_json import ShownProject
from pendesk.store import mirrors

SourceId = Annotated[Ident, Meta(description="The project's pid on its own server.")]


class PutPicture(Input):
    source_id: SourceId
    format: Annotated[int, Meta(ge=1, le=1_000)]
    picture: ShownProject
    drawn_at: Annotated[int, Meta(ge=0, le=2**53, description="Microseconds; of two mirrors the later one stays.")]
    create: Annotated[bool, Meta(description="Whether it may be new here.")] = False


class MirrorPlaced(Output):
    """url: for guests. heldNewer: one that was drawn later is here, and stays."""

    picture_id: str
    url: str
    changed: bool
    held_newer: bool = False


def run(call: Call, args: PutPicture) -> MirrorPlaced:
    _check_mirror_format_supported(args.format)
    check_mirror_not_from_future(args.drawn_at, call.now)
    source_id = parse_id(args.source_id)
    if source_id is None:
        raise NotFound("mirror", args.source_id)
    owner_id = owner_id_for_new_item(call, "picture")
    mirrors.lock(call.tx, source_id)
    mirror = mirrors.by_source(call.tx, source_id)
    if mirror is None and not args.create:
        raise NotFound("mirror", args.source_id)
    sent = _new_mirror(call, source_id, args, owner_id)
    if mirror is None:
        check_count_below_limit(mirrors.count(call.tx), limits.WORKSPACE_MIRRORS, "mirrors here", "Remove one first.")
        mirrors.add(call.tx, sent)
        mirror = mirrors.by_source(call.tx, source_id) or sent
        if mirror.id == sent.id:
            return _record_mirror_received(call, sent, changed=True)
    if mirror.drawn_at > sent.drawn_at or mirror.digest == sent.digest:
        return _build_mirror_placed(call, mirror, changed=False, newer_exists=mirror.digest != sent.digest)
    replaced = sent._replace(id=mirror.id)
    mirrors.update(call.tx, replaced)
    return _record_mirror_received(call, replaced, changed=True)


def _check_mirror_format_supported(sent_format: int) -> None:
    if sent_format != FORMAT:
        raise RuleBroken(
            f"It has format {sent_format}, and this server reads {FORMAT}. Update the older of the two servers.",
            code="picture_format",
        )


def _new_mirror(call: Call, source_id: str, args: PutPicture, owner_id: str) -> Mirror:
    content = encode_json(args.picture)
    picture_id = new_id()
    secret = derive_mirror_link_secret(call.installation.signing_key, call.actor.workspace_id, picture_id)
    return Mirror(
        id=picture_id,
        source_id=source_id,
        hash=token.hash_secret(secret),
        name=args.picture.name,
        content=content.decode(),
        digest=hashlib.sha256(content).hexdigest(),
        drawn_at=args.drawn_at,
        received_by=call.actor.user_id,
        received_at=call.now,
        owner_id=owner_id,
    )


def _record_mirror_received(call: Call, mirror: Mirror, *, changed: bool) -> MirrorPlaced:
    call.record(Event("picture.received", mirror.id, data=NamedData(name=mirror.name[: limits.EVENT_TEXT_CHARS])))
    return _build_mirror_placed(call, mirror, changed=changed, newer_exists=False)


def _build_mirror_placed(call: Call, mirror: Mirror, *, changed: bool, newer_exists: bool) -> MirrorPlaced:
    secret = derive_mirror_link_secret(call.installation.signing_key, call.actor.workspace_id, mirror.id)
    url = f"{call.installation.public_url}/share/{secret}"
    return MirrorPlaced(picture_id=mirror.id, url=url, changed=changed, held_newer=newer_exists)


OPERATION = Operation(
    name="put_picture",
    title="Place a mirror",
    description=(
        "For another server: place the mirror of one of its projects here, or replace it. It is shown by its link "
        "and mixes with nothing of this workspace. The same one again changes nothing. Refused: 404 not here (and "
        "not create), 422 another format, too many mirrors."
    ),
    input=PutPicture,
    output=MirrorPlaced,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
