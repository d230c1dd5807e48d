"""rename_workspace: what the workspace is called from now on."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.event import Event
from pendesk.domain.event_data import WorkspaceRenamedData
from pendesk.operations.fields import Name
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import people


class RenameWorkspace(Input):
    name: Name


class WorkspaceView(Output):
    workspace_id: str
    name: str


def run(call: Call, args: RenameWorkspace) -> WorkspaceView:
    people.lock_workspace(call.tx)
    before = people.workspace_of_transaction(call.tx)
    if before is None:
        raise NotFound("workspace", call.actor.workspace_id)
    if before.name != args.name:
        people.rename_workspace(call.tx, args.name)
        call.record(
            Event("workspace.renamed", before.id, data=WorkspaceRenamedData(before=before.name, after=args.name))
        )
    return WorkspaceView(workspace_id=before.id, name=args.name)


OPERATION = Operation(
    name="rename_workspace",
    title="Rename the workspace",
    description="Give the workspace another name, as its members and their agents read it. Refused: 403 below admin.",
    input=RenameWorkspace,
    output=WorkspaceView,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
