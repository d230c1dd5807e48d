"""list_picture_items: what guests left on a picture, for its own server to fetch."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.limits import ITEMS_PULLED
from pendesk.domain.publication import HeldPicture
from pendesk.ids import parse_id
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.sharing.put_picture import SourceId
from pendesk.store import mirrors


class ListPictureItems(Input):
    source_id: SourceId


class PictureItem(Output):
    item_id: str
    title: str
    body: str
    guest_name: str
    created_at: str


class PictureItems(Output):
    items: list[PictureItem]
    more: bool


def run(call: Call, args: ListPictureItems) -> PictureItems:
    picture = find_picture(call, args.source_id)
    found = mirrors.items(call.tx, picture.id, ITEMS_PULLED + 1)
    items = [
        PictureItem(
            item_id=one.id,
            title=one.title,
            body=one.body,
            guest_name=one.guest_name,
            created_at=to_iso(one.created_at),
        )
        for one in found[:ITEMS_PULLED]
    ]
    return PictureItems(items=items, more=len(found) > ITEMS_PULLED)


def find_picture(call: Call, ident: str) -> HeldPicture:
    source_id = parse_id(ident)
    picture = mirrors.by_source(call.tx, source_id) if source_id else None
    if picture is None:
        raise NotFound("picture", ident)
    return picture


OPERATION = Operation(
    name="list_picture_items",
    title="List a picture's items",
    description=(
        "For another server: what guests left on the picture of one of its projects, oldest first, until "
        "acknowledge_items says that it has them. Refused: 404 no such picture."
    ),
    input=ListPictureItems,
    output=PictureItems,
    # Reading what guests wrote for somebody else is part of keeping the picture.
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.READ,
    run=run,
)
