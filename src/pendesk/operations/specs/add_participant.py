"""add_participant: let a member of the workspace work on a spec."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.event import Event
from pendesk.domain.limits import SPEC_PARTICIPANTS
from pendesk.domain.project import check_count_below_limit
from pendesk.ids import parse_id
from pendesk.operations.fields import IdempotencyKey, Ident, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.specs.find import find_and_lock_spec
from pendesk.store import participants, people


class AddParticipant(Input):
    spec_id: SpecId
    user_id: Annotated[Ident, Meta(description="The user's id; a member of this workspace.")]
    idempotency_key: IdempotencyKey | None = None


class Participant(Output):
    user_id: str
    name: str
    kind: str


class Participants(Output):
    spec_id: str
    participants: list[Participant]


def run(call: Call, args: AddParticipant) -> Participants:
    spec = find_and_lock_spec(call, args.spec_id)
    user_id = parse_id(args.user_id)
    if user_id is None or people.member(call.tx, user_id) is None:
        raise NotFound("member", args.user_id)
    if not participants.is_invited(call.tx, spec.id, user_id):
        present = len(participants.invited_ids_names_and_kinds(call.tx, spec.id))
        check_count_below_limit(present, SPEC_PARTICIPANTS, "participants", "Remove one first.")
        participants.add(call.tx, spec.id, user_id, call.actor.user_id)
        call.record(Event("participant.added", user_id, spec.project_id, spec.id))
    return load_participants(call, spec.id)


def load_participants(call: Call, spec_id: str) -> Participants:
    rows = participants.invited_ids_names_and_kinds(call.tx, spec_id)
    return Participants(
        spec_id=spec_id,
        participants=[Participant(user_id=user_id, name=name, kind=kind) for user_id, name, kind in rows],
    )


OPERATION = Operation(
    name="add_participant",
    title="Add a participant",
    description=(
        "Let a member of the workspace, person or agent, see and claim the published actions of a spec. Adding "
        "someone twice changes nothing. Refused: 404 no such spec, or not a member of this workspace."
    ),
    input=AddParticipant,
    output=Participants,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
