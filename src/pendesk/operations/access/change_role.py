"""change_role: what a member may do from now on, and what becomes of what they may no longer own."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, RoleWord, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import RoleChangedData
from pendesk.domain.membership import check_may_change, check_may_give, check_owner_left
from pendesk.domain.ownership import Outcome, beyond, check_fits, check_new_owner, outcome_of
from pendesk.operations.access.accounts import MemberView, UserPid, member_fields
from pendesk.operations.access.owned import (
    Departure,
    HandOverTo,
    OwnedThing,
    gather_locked,
    lock_departure,
    owned_things,
    settle,
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
    leaving = lock_departure(call, args.user_pid, args.hand_over_to)
    member, role = leaving.member, Role.from_word(args.role)
    if member.role == role.word:
        return RoleChanged(**member_fields(member))
    check_may_change(call.actor, member)
    check_may_give(call.actor, role)
    check_owner_left(member, people.count_owners(call.tx))
    if member.kind == "agent" and role > Role.MEMBER:
        raise RuleBroken(f"{member.name} is an agent's account: member or viewer.", code="agent_account")
    outcome = _settled(call, leaving, role, end_owned=args.end_owned)
    people.set_role(call.tx, member.user_id, role.word)
    call.record(Event("member.role_changed", member.user_id, data=RoleChangedData(before=member.role, after=role.word)))
    return RoleChanged(**member_fields(member._replace(role=role.word)), owned=owned_things(outcome))


def _settled(call: Call, leaving: Departure, role: Role, *, end_owned: bool) -> Outcome:
    member, new_owner = leaving
    too_much = beyond(gather_locked(call, member.user_id), role)
    check_fits(member, role, too_much, decided=end_owned or new_owner is not None)
    if new_owner is not None:
        check_new_owner(new_owner, member, too_much)
    outcome = outcome_of(too_much, hand_over=new_owner is not None)
    settle(call, outcome, member, new_owner)
    if role < Role.ADMIN:
        sign_in.use_links_of_maker(call.tx, member.user_id)
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
