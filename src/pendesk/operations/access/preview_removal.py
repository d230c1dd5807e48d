"""preview_removal: what removing a member, or giving them a lower role, would end or hand over."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, RoleWord, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.domain.membership import check_may_change, check_may_give, check_owner_left
from pendesk.domain.ownership import beyond, check_new_owner, needed_of_new_owner, outcome_of
from pendesk.operations.access.accounts import MemberView, UserPid, view
from pendesk.operations.access.owned import HandOverTo, OwnedThing, find_departure, gather, owned_things
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import claims, grants, people, tokens


class PreviewRemoval(Input):
    user_pid: UserPid
    hand_over_to: HandOverTo | None = None
    role: Annotated[RoleWord, Meta(description="Preview a change to this role instead.")] | None = None


class OwnAccess(Output):
    """What is in the member's own name. It always ends with a removal, and stays with a lower role."""

    tokens: int
    grants: int
    claims: int


class RemovalPreview(Output):
    """owned: with what would become of each. newOwners: members who may take over all that can be handed over."""

    member: MemberView
    own: OwnAccess
    owned: list[OwnedThing]
    new_owners: list[MemberView]


def run(call: Call, args: PreviewRemoval) -> RemovalPreview:
    """Refused where the real thing would be."""
    member, new_owner = find_departure(call, args.user_pid, args.hand_over_to)
    check_may_change(call.actor, member)
    check_owner_left(member, people.count_owners(call.tx))
    owned = gather(call, member.user_id)
    if args.role is not None:
        check_may_give(call.actor, Role.from_word(args.role))
        owned = beyond(owned, Role.from_word(args.role))
    if new_owner is not None:
        check_new_owner(new_owner, member, owned)
    roles = [role.word for role in Role if role >= needed_of_new_owner(owned)]
    return RemovalPreview(
        member=view(member),
        own=_own(call, member.user_id),
        owned=owned_things(outcome_of(owned, hand_over=new_owner is not None)),
        new_owners=[view(account) for account in people.people_with(call.tx, roles, member.user_id, PAGE_ROWS)],
    )


def _own(call: Call, user_id: str) -> OwnAccess:
    return OwnAccess(
        tokens=tokens.count_of_user(call.tx, user_id),
        grants=len(grants.live_with_names(call.tx, user_id)),
        claims=len(claims.actions_held_by(call.tx, user_id)),
    )


OPERATION = Operation(
    name="preview_removal",
    title="Preview a removal",
    description=(
        "What a member owns (agents' accounts with their tokens and claims, webhooks, shares, mirrors, invites), by "
        "name, and what remove_member, or change_role to a lower role, would do with each. Changes nothing. Refused: "
        "403 an owner (unless you are one), 404 no such member, 422 the last owner, or hand_over_to may not own it."
    ),
    input=PreviewRemoval,
    output=RemovalPreview,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.READ,
    run=run,
)
