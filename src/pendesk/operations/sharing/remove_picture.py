"""remove_picture: another server's project is shown here no longer."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import NamedData
from pendesk.domain.limits import EVENT_TEXT_CHARS
from pendesk.domain.publication import Mirror
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.sharing.list_picture_items import find_mirror_by_source_id
from pendesk.operations.sharing.put_picture import SourceId
from pendesk.store import mirrors


class RemovePicture(Input):
    source_id: SourceId


class MirrorRemoved(Output):
    picture_id: str
    name: str


def run(call: Call, args: RemovePicture) -> MirrorRemoved:
    mirrors.lock(call.tx, find_mirror_by_source_id(call, args.source_id).source_id)
    mirror = find_mirror_by_source_id(call, args.source_id)
    remove_mirror(call, mirror)
    return MirrorRemoved(picture_id=mirror.id, name=mirror.name)


def remove_mirror(call: Call, mirror: Mirror) -> None:
    mirrors.remove(call.tx, mirror.id)
    call.record(Event("picture.removed", mirror.id, data=NamedData(name=mirror.name[:EVENT_TEXT_CHARS])))


OPERATION = Operation(
    name="remove_picture",
    title="Remove a mirror",
    description=(
        "Stop showing another server's project here: its link ends for good, and messages of guests that were not "
        "fetched are deleted. Published again, it gets another link. Refused: 404 no such picture."
    ),
    input=RemovePicture,
    output=MirrorRemoved,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
