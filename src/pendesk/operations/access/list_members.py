"""list_members: who is in the workspace."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.operations.access.accounts import MemberView, member_view
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_and_next_cursor, parse_cursor_after_id
from pendesk.store import people


class ListMembers(Input):
    cursor: PageCursor | None = None


class MemberList(Output):
    members: list[MemberView]
    next_cursor: str | None = None


def run(call: Call, args: ListMembers) -> MemberList:
    # People see each other's addresses; an agent has no need of them.
    with_email = Scope.PERSON in call.actor.scopes
    accounts = people.accounts(call.tx, parse_cursor_after_id(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = page_and_next_cursor(accounts, PAGE_ROWS, lambda account: account.user_id)
    return MemberList(
        members=[member_view(account, with_email=with_email) for account in page], next_cursor=next_cursor
    )


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
