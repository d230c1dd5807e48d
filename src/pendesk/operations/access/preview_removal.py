"""preview_removal: what removing a member, or giving them a lower role, would end or hand over."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, RoleWord, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.domain.membership import check_may_change_or_remove_member, check_may_grant_role, check_not_last_owner
from pendesk.domain.ownership import (
    check_may_take_over,
    items_not_ownable_by_role,
    role_needed_to_own,
    split_into_ended_and_handed_over,
)
from pendesk.operations.access.accounts import MemberView, UserPid, member_view
from pendesk.operations.access.owned import (
    HandOverTo,
    OwnedThing,
    find_member_and_new_owner,
    list_ended_and_handed_over,
    list_owned_items,
)
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
    member, new_owner = find_member_and_new_owner(call, args.user_pid, args.hand_over_to)
    check_may_change_or_remove_member(call.actor, member)
    check_not_last_owner(member, people.count_owners(call.tx))
    owned = list_owned_items(call, member.user_id)
    if args.role is not None:
        check_may_grant_role(call.actor, Role.from_label(args.role))
        owned = items_not_ownable_by_role(owned, Role.from_label(args.role))
    if new_owner is not None:
        check_may_take_over(new_owner, member, owned)
    roles = [role.label for role in Role if role >= role_needed_to_own(owned)]
    return RemovalPreview(
        member=member_view(member),
        own=_count_tokens_grants_and_claims(call, member.user_id),
        owned=list_ended_and_handed_over(split_into_ended_and_handed_over(owned, hand_over=new_owner is not None)),
        new_owners=[
            member_view(account) for account in people.people_with_roles(call.tx, roles, member.user_id, PAGE_ROWS)
        ],
    )


def _count_tokens_grants_and_claims(call: Call, user_id: str) -> OwnAccess:
    return OwnAccess(
        tokens=tokens.count_active_of_user(call.tx, user_id),
        grants=len(grants.live(call.tx, user_id)),
        claims=len(claims.action_ids_held_by(call.tx, user_id)),
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
