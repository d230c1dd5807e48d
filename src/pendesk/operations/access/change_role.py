"""change_role: what a member may do from now on, and what becomes of what they may no longer own."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, RoleWord, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import RoleChangedData
from pendesk.domain.membership import check_may_change_or_remove_member, check_may_grant_role, check_not_last_owner
from pendesk.domain.ownership import (
    OwnershipOutcome,
    check_decision_on_unownable_items,
    check_may_take_over,
    items_not_ownable_by_role,
    split_into_ended_and_handed_over,
)
from pendesk.operations.access.accounts import MemberView, UserPid, member_view_fields
from pendesk.operations.access.owned import (
    HandOverTo,
    MemberAndNewOwner,
    OwnedThing,
    end_or_hand_over_items,
    find_and_lock_member_and_new_owner,
    list_ended_and_handed_over,
    lock_agents_and_list_owned_items,
)
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import people, sign_in


class ChangeRole(Input):
    user_pid: UserPid
    role: RoleWord
    hand_over_to: HandOverTo | None = None
    end_owned: Annotated[bool, Meta(description="End what the new role may not own, where nobody takes it over.")] = (
        False
    )


class RoleChanged(MemberView):
    """owned: what the new role may not own, and what became of each."""

    owned: list[OwnedThing] = []


def run(call: Call, args: ChangeRole) -> RoleChanged:
    leaving = find_and_lock_member_and_new_owner(call, args.user_pid, args.hand_over_to)
    member, role = leaving.member, Role.from_label(args.role)
    if member.role == role.label:
        return RoleChanged(**member_view_fields(member))
    check_may_change_or_remove_member(call.actor, member)
    check_may_grant_role(call.actor, role)
    check_not_last_owner(member, people.count_owners(call.tx))
    if member.kind == "agent" and role > Role.MEMBER:
        raise RuleBroken(f"{member.name} is an agent's account: member or viewer.", code="agent_account")
    outcome = _end_or_hand_over_unownable_items(call, leaving, role, end_owned=args.end_owned)
    people.set_role(call.tx, member.user_id, role.label)
    call.record(
        Event("member.role_changed", member.user_id, data=RoleChangedData(before=member.role, after=role.label))
    )
    return RoleChanged(
        **member_view_fields(member._replace(role=role.label)), owned=list_ended_and_handed_over(outcome)
    )


def _end_or_hand_over_unownable_items(
    call: Call, member_and_new_owner: MemberAndNewOwner, new_role: Role, *, end_owned: bool
) -> OwnershipOutcome:
    member, new_owner = member_and_new_owner
    too_much = items_not_ownable_by_role(lock_agents_and_list_owned_items(call, member.user_id), new_role)
    check_decision_on_unownable_items(member, new_role, too_much, is_decision_given=end_owned or new_owner is not None)
    if new_owner is not None:
        check_may_take_over(new_owner, member, too_much)
    outcome = split_into_ended_and_handed_over(too_much, hand_over=new_owner is not None)
    end_or_hand_over_items(call, outcome, member, new_owner)
    if new_role < Role.ADMIN:
        sign_in.expire_links_created_for_others(call.tx, member.user_id)
    return outcome


OPERATION = Operation(
    name="change_role",
    title="Change a member's role",
    description=(
        "Give a member another role: owner, admin, member or viewer. It counts from their next request on. What a "
        "lower role may not own (see preview_removal) goes to hand_over_to, or ends with end_owned. Refused: 403 a "
        "role above yours, 404 no such member, 422 the last owner, or they own what the role may not."
    ),
    input=ChangeRole,
    output=RoleChanged,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
