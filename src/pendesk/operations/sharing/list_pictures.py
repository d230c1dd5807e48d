"""list_pictures: what other servers show here."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.domain.publication import Mirror
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_and_next_cursor, parse_cursor_after_id
from pendesk.store import mirrors


class ListPictures(Input):
    cursor: PageCursor | None = None


class MirrorRow(Output):
    picture_id: str
    source_id: str
    name: str
    received_by: str
    received_at: str


class Mirrors(Output):
    pictures: list[MirrorRow]
    next_cursor: str | None = None


def run(call: Call, args: ListPictures) -> Mirrors:
    rows = mirrors.page(call.tx, parse_cursor_after_id(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = page_and_next_cursor(rows, PAGE_ROWS, lambda mirror: mirror.id)
    return Mirrors(pictures=[_mirror_row(mirror) for mirror in page], next_cursor=next_cursor)


def _mirror_row(mirror: Mirror) -> MirrorRow:
    return MirrorRow(
        picture_id=mirror.id,
        source_id=mirror.source_id,
        name=mirror.name,
        received_by=mirror.received_by,
        received_at=to_iso(mirror.received_at),
    )


OPERATION = Operation(
    name="list_pictures",
    title="List mirrors",
    description=(
        "The projects of other servers that are shown here, by whose token, and when they were last updated. "
        "Links are not shown; remove_picture ends one."
    ),
    input=ListPictures,
    output=Mirrors,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
