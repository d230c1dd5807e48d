"""get_workspace: what the workspace is called, and who takes part in its specs."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.people import Workspace
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import people


class GetWorkspace(Input):
    pass


class WorkspaceSettings(Output):
    """participation: everyone (every member but viewers takes part in every spec) or invitation."""

    workspace_id: str
    name: str
    participation: str


def run(call: Call, args: GetWorkspace) -> WorkspaceSettings:
    return to_workspace_settings(find_workspace(call))


def find_workspace(call: Call) -> Workspace:
    workspace = people.workspace_of_transaction(call.tx)
    if workspace is None:
        raise NotFound("workspace", call.actor.workspace_id)
    return workspace


def to_workspace_settings(workspace: Workspace) -> WorkspaceSettings:
    return WorkspaceSettings(workspace_id=workspace.id, name=workspace.name, participation=workspace.participation)


OPERATION = Operation(
    name="get_workspace",
    title="Read the workspace's settings",
    description="The name of the workspace, and who takes part in its specs: everyone, or who is invited to a spec.",
    input=GetWorkspace,
    output=WorkspaceSettings,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
