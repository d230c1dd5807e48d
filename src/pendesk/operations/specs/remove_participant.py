"""remove_participant: someone no longer works on a spec."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.ids import parse_id
from pendesk.operations.fields import IdempotencyKey, Ident, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.specs.add_participant import Participants, load_participants
from pendesk.operations.specs.find import find_and_lock_spec
from pendesk.store import participants


class RemoveParticipant(Input):
    spec_id: SpecId
    user_id: Annotated[Ident, Meta(description="The participant's user id.")]
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: RemoveParticipant) -> Participants:
    spec = find_and_lock_spec(call, args.spec_id)
    user_id = parse_id(args.user_id)
    # Former members of the workspace may be among them, so membership is not asked for.
    if user_id is not None and participants.is_invited(call.tx, spec.id, user_id):
        participants.remove(call.tx, spec.id, user_id)
        call.record(Event("participant.removed", user_id, spec.project_id, spec.id))
    return load_participants(call, spec.id)


OPERATION = Operation(
    name="remove_participant",
    title="Remove a participant",
    description=(
        "Remove someone from a spec: they no longer see or claim its actions. A claim they hold continues; release it "
        "if it should not. Removing someone who does not take part changes nothing. Refused: 404 no such spec."
    ),
    input=RemoveParticipant,
    output=Participants,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
