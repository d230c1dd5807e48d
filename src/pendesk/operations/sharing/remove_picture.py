"""remove_picture: another server's project is shown here no longer."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import NamedData
from pendesk.domain.limits import EVENT_TEXT_CHARS
from pendesk.domain.publication import HeldPicture
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.sharing.list_picture_items import find_picture
from pendesk.operations.sharing.put_picture import SourceId
from pendesk.store import mirrors


class RemovePicture(Input):
    source_id: SourceId


class PictureRemoved(Output):
    picture_id: str
    name: str


def run(call: Call, args: RemovePicture) -> PictureRemoved:
    mirrors.lock(call.tx, find_picture(call, args.source_id).source_id)
    picture = find_picture(call, args.source_id)
    remove(call, picture)
    return PictureRemoved(picture_id=picture.id, name=picture.name)


def remove(call: Call, picture: HeldPicture) -> None:
    mirrors.remove(call.tx, picture.id)
    call.record(Event("picture.removed", picture.id, data=NamedData(name=picture.name[:EVENT_TEXT_CHARS])))


OPERATION = Operation(
    name="remove_picture",
    title="Remove a picture",
    description=(
        "Show another server's project here no longer: its link ends for good, and what guests left and nobody "
        "fetched is deleted. Published again, it gets another link. Refused: 404 no such picture."
    ),
    input=RemovePicture,
    output=PictureRemoved,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
