"""list_pictures: what other servers show here."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.domain.publication import HeldPicture
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, parse_cursor, split_page
from pendesk.store import mirrors


class ListPictures(Input):
    cursor: PageCursor | None = None


class PictureRow(Output):
    picture_id: str
    source_id: str
    name: str
    received_by: str
    received_at: str


class Pictures(Output):
    pictures: list[PictureRow]
    next_cursor: str | None = None


def run(call: Call, args: ListPictures) -> Pictures:
    found = mirrors.page(call.tx, parse_cursor(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = split_page(found, PAGE_ROWS, lambda one: one.id)
    return Pictures(pictures=[_row(one) for one in page], next_cursor=next_cursor)


def _row(picture: HeldPicture) -> PictureRow:
    return PictureRow(
        picture_id=picture.id,
        source_id=picture.source_id,
        name=picture.name,
        received_by=picture.received_by,
        received_at=to_iso(picture.received_at),
    )


OPERATION = Operation(
    name="list_pictures",
    title="List pictures",
    description=(
        "The projects of other servers that are shown here, by whose token, and since when they look as they do. "
        "Links are not shown; remove_picture ends one."
    ),
    input=ListPictures,
    output=Pictures,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
