"""remove_member: shut a member out at once, and end or hand over what they own; what they did stays theirs."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.membership import check_may_change_or_remove_member, check_not_last_owner
from pendesk.domain.ownership import check_may_take_over, split_into_ended_and_handed_over
from pendesk.operations.access.accounts import MemberView, UserPid, member_view_fields
from pendesk.operations.access.owned import (
    HandOverTo,
    OwnedThing,
    end_or_hand_over_items,
    find_and_lock_member_and_new_owner,
    list_ended_and_handed_over,
    lock_agents_and_list_owned_items,
)
from pendesk.operations.access.shut_out import end_membership
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import people


class RemoveMember(Input):
    user_pid: UserPid
    hand_over_to: HandOverTo | None = None


class MemberRemoved(MemberView):
    """owned: what they owned, and what became of each. nextStep: what is left to do by hand."""

    owned: list[OwnedThing] = []
    next_step: str = ""


NEXT_STEP = (
    "{name} has seen the secrets of what was handed over. Replace the tokens, webhook secrets and share links that "
    "they must not know."
)


def run(call: Call, args: RemoveMember) -> MemberRemoved:
    member, new_owner = find_and_lock_member_and_new_owner(call, args.user_pid, args.hand_over_to)
    check_may_change_or_remove_member(call.actor, member)
    check_not_last_owner(member, people.count_owners(call.tx))
    owned = lock_agents_and_list_owned_items(call, member.user_id)
    if new_owner is not None:
        check_may_take_over(new_owner, member, owned)
    outcome = split_into_ended_and_handed_over(owned, hand_over=new_owner is not None)
    end_or_hand_over_items(call, outcome, member, new_owner)
    end_membership(call, member)
    return MemberRemoved(
        **member_view_fields(member),
        owned=list_ended_and_handed_over(outcome),
        next_step=NEXT_STEP.format(name=member.name) if outcome.handed_over else "",
    )


OPERATION = Operation(
    name="remove_member",
    title="Remove a member",
    description=(
        "Shut a member out of the workspace at once: tokens revoked, sessions ended, claims released. What they own "
        "(agents' accounts, webhooks, shares, mirrors) ends too, or goes to hand_over_to; see preview_removal first. "
        "What they did stays in the history under their name. Refused: 403 an owner (unless you are one), 404 no such "
        "member, 422 the last owner, or hand_over_to may not own it."
    ),
    input=RemoveMember,
    output=MemberRemoved,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
