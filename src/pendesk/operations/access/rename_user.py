"""rename_user: what a member is called from now on, wherever they are named."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.membership import check_may_manage_account
from pendesk.operations.access.accounts import MemberView, UserPid, find_account_defaulting_to_caller, member_view
from pendesk.operations.fields import Name
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import people


class RenameUser(Input):
    name: Name
    user_pid: UserPid | None = None


def run(call: Call, args: RenameUser) -> MemberView:
    account = find_account_defaulting_to_caller(call, args.user_pid)
    check_may_manage_account(call.actor, account)
    if account.user_id != call.actor.user_id and people.is_or_was_in_other_workspace(call.tx, account.user_id):
        raise RuleBroken(
            f"{account.name} belongs to another workspace too, so only they may change their name.",
            code="not_only_here",
        )
    people.lock_member(call.tx, account.user_id)
    if account.name != args.name:
        people.rename_user(call.tx, account.user_id, args.name)
        call.record(Event("member.renamed", account.user_id))
    return member_view(account._replace(name=args.name))


OPERATION = Operation(
    name="rename_user",
    title="Rename a member",
    description=(
        "Give yourself another name; admins also those below them, such as agents' accounts. It is shown at once, also "
        "beside what was done before. Refused: 403 someone of your rank or above, 422 someone who is in another "
        "workspace too."
    ),
    input=RenameUser,
    output=MemberView,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
