"""change_role: what a member may do from now on."""

from pendesk.domain.access import Role, RoleWord, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.membership import check_may_change, check_may_give, check_owner_left
from pendesk.operations.access.accounts import MemberView, UserPid, find_account, view
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import people


class ChangeRole(Input):
    user_pid: UserPid
    role: RoleWord


def run(call: Call, asked: ChangeRole) -> MemberView:
    people.lock_owners(call.tx)
    account = find_account(call, asked.user_pid)
    role = Role.from_word(asked.role)
    if account.role == role.word:
        return view(account)
    check_may_change(call.actor, account)
    check_may_give(call.actor, role)
    check_owner_left(account, people.count_owners(call.tx))
    if account.kind == "agent" and role > Role.MEMBER:
        raise RuleBroken(f"{account.name} is an agent's account: member or viewer.", code="agent_account")
    people.set_role(call.tx, account.user_id, role.word)
    told = {"before": account.role, "after": role.word}
    call.record(Event("member.role_changed", account.user_id, data=told))
    return view(account._replace(role=role.word))


OPERATION = Operation(
    name="change_role",
    title="Change a member's role",
    description=(
        "Give a member another role: owner, admin, member or viewer. It counts from their next request on. "
        "Refused: 403 a role above yours, 422 the last owner."
    ),
    input=ChangeRole,
    output=MemberView,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
