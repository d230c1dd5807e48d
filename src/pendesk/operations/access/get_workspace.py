"""get_workspace: what the workspace is called, and who takes part in its specs."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.people import Workspace
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import attachments, people


class GetWorkspace(Input):
    pass


class WorkspaceSettings(Output):
    """participation: everyone (every member but viewers takes part in every spec) or invitation."""

    workspace_id: str
    name: str
    participation: str


class WorkspaceResult(WorkspaceSettings):
    """file_bytes: of all files that were not removed, and what they may come to."""

    file_bytes: int
    file_bytes_limit: int


def run(call: Call, args: GetWorkspace) -> WorkspaceResult:
    workspace = find_workspace(call)
    return WorkspaceResult(
        workspace_id=workspace.id,
        name=workspace.name,
        participation=workspace.participation,
        file_bytes=attachments.used_bytes(call.tx, call.actor.user_id).workspace_bytes,
        file_bytes_limit=call.limits.workspace_file_bytes,
    )


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
    description=(
        "The name of the workspace, who takes part in its specs (everyone, or who is invited to a spec), and how much "
        "it has in files."
    ),
    input=GetWorkspace,
    output=WorkspaceResult,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
