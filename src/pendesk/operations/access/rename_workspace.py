"""rename_workspace: what the workspace is called from now on."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import WorkspaceRenamedData
from pendesk.operations.access.get_workspace import WorkspaceSettings, find_workspace, to_workspace_settings
from pendesk.operations.fields import Name
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import people


class RenameWorkspace(Input):
    name: Name


def run(call: Call, args: RenameWorkspace) -> WorkspaceSettings:
    people.lock_workspace(call.tx)
    before = find_workspace(call)
    if before.name != args.name:
        people.rename_workspace(call.tx, args.name)
        call.record(
            Event("workspace.renamed", before.id, data=WorkspaceRenamedData(before=before.name, after=args.name))
        )
    return to_workspace_settings(before._replace(name=args.name))


OPERATION = Operation(
    name="rename_workspace",
    title="Rename the workspace",
    description="Give the workspace another name, as its members and their agents read it. Refused: 403 below admin.",
    input=RenameWorkspace,
    output=WorkspaceSettings,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
