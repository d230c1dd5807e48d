"""list_members: who is in the workspace."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.access.accounts import MemberView, view
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import people


class ListMembers(Input):
    pass


class MemberList(Output):
    members: list[MemberView]


def run(call: Call, _asked: ListMembers) -> MemberList:
    # People see each other's addresses; an agent has no need of them.
    with_email = Scope.PERSON in call.actor.scopes
    return MemberList(members=[view(each, with_email=with_email) for each in people.accounts(call.tx)])


OPERATION = Operation(
    name="list_members",
    title="List members",
    description="Everyone in the workspace with role and kind (person or agent), the earliest first.",
    input=ListMembers,
    output=MemberList,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
