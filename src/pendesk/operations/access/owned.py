"""What a member owns: gathered, described, and ended or handed over in the transaction that takes it from them."""

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from pendesk.domain.event import Event
from pendesk.domain.event_data import OwnerChangedData
from pendesk.domain.limits import EVENT_TEXT_CHARS
from pendesk.domain.ownership import ALWAYS_ENDS, OwnedItem, OwnedKind, OwnershipOutcome
from pendesk.domain.people import Account
from pendesk.operations.access.accounts import UserPid, find_account_defaulting_to_caller
from pendesk.operations.access.owned_kinds import HANDLERS_BY_KIND, lock_actions_held_by
from pendesk.operations.operation import Call, Output
from pendesk.store import github, invites, mirrors, people, shares, tokens, webhooks

HandOverTo = Annotated[UserPid, Meta(description="The member who takes over what they own; without one it ends.")]


class OwnedThing(Output):
    """outcome: what becomes of it. tokens, claims: of an agent's account. alwaysEnds: it cannot be handed over."""

    kind: OwnedKind
    id: str
    name: str
    outcome: Literal["end", "hand_over"]
    tokens: int = 0
    claims: int = 0
    always_ends: bool = False


class MemberAndNewOwner(NamedTuple):
    """Who leaves, or may own less from now on, and who takes over."""

    member: Account
    new_owner: Account | None


def find_member_and_new_owner(call: Call, member_id: str, new_owner_id: str | None) -> MemberAndNewOwner:
    member = find_account_defaulting_to_caller(call, member_id)
    return MemberAndNewOwner(
        member, find_account_defaulting_to_caller(call, new_owner_id) if new_owner_id is not None else None
    )


def find_and_lock_member_and_new_owner(call: Call, member_id: str, new_owner_id: str | None) -> MemberAndNewOwner:
    """The same, read again once nobody else can remove or change either of them."""
    people.lock_owners(call.tx)
    leaving = find_member_and_new_owner(call, member_id, new_owner_id)
    ids = [account.user_id for account in leaving if account is not None]
    for user_id in sorted(ids):
        people.lock_member_out(call.tx, user_id)
    return find_member_and_new_owner(call, ids[0], ids[1] if new_owner_id is not None else None)


def list_owned_items(call: Call, owner_id: str) -> list[OwnedItem]:
    return [
        *people.agents_of_owner(call.tx, owner_id),
        *tokens.of_owner(call.tx, owner_id),
        *webhooks.of_owner(call.tx, owner_id),
        *github.webhooks_of_owner(call.tx, owner_id),
        *shares.of_owner(call.tx, owner_id),
        *mirrors.of_owner(call.tx, owner_id),
        *invites.pending_of_creator(call.tx, owner_id),
    ]


def lock_agents_and_list_owned_items(call: Call, user_id: str) -> list[OwnedItem]:
    """The member is locked already. Then their agents: what one of them makes at this moment is the member's too."""
    for agent in people.agents_of_owner(call.tx, user_id):
        people.lock_member_out(call.tx, agent.id)
    return list_owned_items(call, user_id)


def end_or_hand_over_items(
    call: Call, outcome: OwnershipOutcome, former_owner: Account, new_owner: Account | None
) -> None:
    """Every lock comes before the first event, whose number is locked last, as everywhere."""
    order = list(HANDLERS_BY_KIND)
    for item in sorted(outcome.ended + outcome.handed_over, key=lambda item: (order.index(item.kind), item.id)):
        HANDLERS_BY_KIND[item.kind].lock(call.tx, item.id)
    lock_actions_held_by(call.tx, former_owner.user_id)
    for item in outcome.ended:
        HANDLERS_BY_KIND[item.kind].end(call, item.id)
    for item in outcome.handed_over:
        assert new_owner is not None
        _hand_over(call, item, former_owner, new_owner)


def list_ended_and_handed_over(outcome: OwnershipOutcome) -> list[OwnedThing]:
    ended = [_owned_item_result(item, "end") for item in outcome.ended]
    return ended + [_owned_item_result(item, "hand_over") for item in outcome.handed_over]


def _owned_item_result(item: OwnedItem, outcome: Literal["end", "hand_over"]) -> OwnedThing:
    return OwnedThing(
        kind=item.kind,
        id=item.id,
        name=item.name,
        outcome=outcome,
        tokens=item.tokens,
        claims=item.claims,
        always_ends=item.kind in ALWAYS_ENDS,
    )


def _hand_over(call: Call, item: OwnedItem, former_owner: Account, new_owner: Account) -> None:
    if item.kind == "agent":
        # The tokens that the leaver made for it go with it; those of others stay theirs.
        for token_id, name in tokens.token_ids_and_names_of_agent(call.tx, item.id, former_owner.user_id):
            _hand_over(call, OwnedItem("agent_token", token_id, name), former_owner, new_owner)
    ways = HANDLERS_BY_KIND[item.kind]
    assert ways.set_owner is not None
    assert ways.handed_over_event is not None
    ways.set_owner(call.tx, item.id, new_owner.user_id)
    label = item.name[:EVENT_TEXT_CHARS] if ways.is_named else None
    data = OwnerChangedData(from_=former_owner.user_id, to=new_owner.user_id, name=label)
    call.record(Event(ways.handed_over_event, item.id, item.project_id, data=data))
