"""set_participation: who takes part in the specs of the workspace, everyone or who is invited."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import ParticipationChangedData
from pendesk.domain.people import Participation
from pendesk.operations.access.get_workspace import WorkspaceSettings, find_workspace, to_workspace_settings
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import people


class SetParticipation(Input):
    participation: Annotated[
        Participation,
        Meta(description="everyone: every member but viewers. invitation: the participants of each spec."),
    ]


def run(call: Call, args: SetParticipation) -> WorkspaceSettings:
    people.lock_workspace(call.tx)
    before = find_workspace(call)
    if before.participation != args.participation:
        people.set_participation(call.tx, args.participation)
        data = ParticipationChangedData(before=before.participation, after=args.participation)
        call.record(Event("workspace.participation_changed", before.id, data=data))
    return to_workspace_settings(before._replace(participation=args.participation))


OPERATION = Operation(
    name="set_participation",
    title="Set who takes part in specs",
    description=(
        "Choose who sees and claims the published actions of specs: everyone (all members but viewers, also those who "
        "join later) or invitation (the participants of each spec). Claims that are held continue. Refused: 403 below "
        "admin."
    ),
    input=SetParticipation,
    output=WorkspaceSettings,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
