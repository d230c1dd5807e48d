"""list_assignees: who an action can be assigned to."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import ASSIGNABLE_COMPARED
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import assignees


class ListAssignees(Input):
    pass


class AssigneeRow(Output):
    """owner: whose agent it is."""

    pid: str
    name: str
    kind: str
    owner: str | None = None


class Assignees(Output):
    assignees: list[AssigneeRow]


def run(call: Call, args: ListAssignees) -> Assignees:
    known = assignees.all_assignable(call.tx, ASSIGNABLE_COMPARED)
    rows = [AssigneeRow(pid=row.pid, name=row.name, kind=row.kind, owner=row.owner or None) for row in known]
    return Assignees(assignees=rows)


OPERATION = Operation(
    name="list_assignees",
    title="List assignees",
    description=(
        "Who an action can be assigned to: the members of the workspace by name, then their agents; of each the first "
        f"{ASSIGNABLE_COMPARED}. Their pids and names are what `assignee` takes."
    ),
    input=ListAssignees,
    output=Assignees,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
