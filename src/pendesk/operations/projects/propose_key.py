"""propose_key: the key that a project of this name would get if nobody chose another."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.project import propose_project_key
from pendesk.operations.fields import Name
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import projects


class ProposeKey(Input):
    name: Name


class ProposedKey(Output):
    key: str


def run(call: Call, args: ProposeKey) -> ProposedKey:
    return ProposedKey(key=propose_project_key(args.name, projects.keys(call.tx)))


OPERATION = Operation(
    name="propose_key",
    title="Propose a project's key",
    description="The key that create_project would give a project of this name: free now, and short. Changes nothing.",
    input=ProposeKey,
    output=ProposedKey,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
