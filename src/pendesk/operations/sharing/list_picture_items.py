"""list_picture_items: what guests sent through a mirror, for its own server to fetch."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.limits import GUEST_REQUESTS_PULLED
from pendesk.domain.publication import Mirror
from pendesk.ids import parse_id
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.sharing.put_picture import SourceId
from pendesk.store import mirrors


class ListPictureItems(Input):
    source_id: SourceId


class MirrorItem(Output):
    item_id: str
    title: str
    body: str
    guest_name: str
    created_at: str


class MirrorItems(Output):
    items: list[MirrorItem]
    more: bool


def run(call: Call, args: ListPictureItems) -> MirrorItems:
    mirror = find_mirror_by_source_id(call, args.source_id)
    rows = mirrors.guest_requests(call.tx, mirror.id, GUEST_REQUESTS_PULLED + 1)
    items = [
        MirrorItem(
            item_id=row.id,
            title=row.title,
            body=row.body,
            guest_name=row.guest_name,
            created_at=to_iso(row.created_at),
        )
        for row in rows[:GUEST_REQUESTS_PULLED]
    ]
    return MirrorItems(items=items, more=len(rows) > GUEST_REQUESTS_PULLED)


def find_mirror_by_source_id(call: Call, source_id_text: str) -> Mirror:
    source_id = parse_id(source_id_text)
    mirror = mirrors.by_source(call.tx, source_id) if source_id else None
    if mirror is None:
        raise NotFound("mirror", source_id_text)
    return mirror


OPERATION = Operation(
    name="list_picture_items",
    title="List a mirror's items",
    description=(
        "For another server: what guests left on the mirror of one of its projects, oldest first, until "
        "acknowledge_items says that it has them. Refused: 404 no such mirror."
    ),
    input=ListPictureItems,
    output=MirrorItems,
    # Reading what guests wrote for somebody else is part of keeping the mirror.
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.READ,
    run=run,
)
