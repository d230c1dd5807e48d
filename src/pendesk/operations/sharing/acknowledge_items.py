"""acknowledge_items: the mirror's own server has these guest requests; they can be deleted here."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import GUEST_REQUESTS_PULLED
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.sharing.list_picture_items import find_mirror_by_source_id
from pendesk.operations.sharing.put_picture import SourceId
from pendesk.store import mirrors


class AcknowledgeItems(Input):
    source_id: SourceId
    item_ids: Annotated[list[Ident], Meta(min_length=1, max_length=GUEST_REQUESTS_PULLED)]


class ItemsAcknowledged(Output):
    waiting: int


def run(call: Call, args: AcknowledgeItems) -> ItemsAcknowledged:
    mirror = find_mirror_by_source_id(call, args.source_id)
    mirrors.drop_guest_requests(call.tx, mirror.id, args.item_ids)
    return ItemsAcknowledged(waiting=mirrors.count_guest_requests(call.tx, mirror.id))


OPERATION = Operation(
    name="acknowledge_items",
    title="Acknowledge items",
    description=(
        "For another server: it has these items of guests, so they are deleted here. Those that are no longer here "
        "are ignored. Gives how many still wait. Refused: 404 no such mirror."
    ),
    input=AcknowledgeItems,
    output=ItemsAcknowledged,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
