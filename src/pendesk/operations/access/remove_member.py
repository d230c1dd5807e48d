"""remove_member: shut a member out at once; what they did stays theirs."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.membership import check_may_change, check_owner_left
from pendesk.operations.access.accounts import MemberView, UserPid, find_account, view
from pendesk.operations.building.held import find_action
from pendesk.operations.building.release_action import release
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import claims, codes, devices, grants, invites, people, sign_in, tokens


class RemoveMember(Input):
    user_pid: UserPid


def run(call: Call, asked: RemoveMember) -> MemberView:
    people.lock_owners(call.tx)
    account = find_account(call, asked.user_pid)
    people.lock_member(call.tx, account.user_id)  # a claim of theirs that is under way ends first, and is released
    check_may_change(call.actor, account)
    check_owner_left(account, people.count_owners(call.tx))
    people.remove_member(call.tx, account.user_id)
    tokens.revoke_of_user(call.tx, account.user_id)
    grants.revoke_of_user(call.tx, account.user_id)
    codes.use_of_user(call.tx, account.user_id)
    devices.deny_of_user(call.tx, account.user_id)
    sign_in.end_all_of_user(call.tx, account.user_id)
    invites.use_of_maker(call.tx, account.user_id)
    for action_id in claims.actions_held_by(call.tx, account.user_id):
        release(call, find_action(call, action_id), {"reason": "The holder was removed.", "byPerson": True})
    call.record(Event("member.removed", account.user_id, data={"name": account.name, "role": account.role}))
    return view(account)


OPERATION = Operation(
    name="remove_member",
    title="Remove a member",
    description=(
        "Shut a member out of the workspace at once: tokens revoked, sessions ended, claims released. What they did "
        "stays in the history under their name. Refused: 403 an owner (unless you are one), 422 the last owner."
    ),
    input=RemoveMember,
    output=MemberView,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
