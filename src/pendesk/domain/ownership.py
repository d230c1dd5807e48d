"""Who owns what gives access or sends data out on its own, and what becomes of it when its owner leaves."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from pendesk.domain.access import Role, RoleWord
from pendesk.domain.errors import RoleForbids, RuleBroken
from pendesk.domain.people import Account

OwnedKind = Literal[
    "agent",
    "agent_token",
    "personal_token",
    "webhook",
    "github_webhook",
    "share",
    "picture",
    "invite",
]

# The lowest role that may create one, and so may own one. A personal token here is one for another person.
NEEDED: dict[OwnedKind, Role] = {
    "agent": Role.ADMIN,
    "agent_token": Role.ADMIN,
    "personal_token": Role.OWNER,
    "webhook": Role.ADMIN,
    "github_webhook": Role.ADMIN,
    "share": Role.MEMBER,
    "picture": Role.MEMBER,
    "invite": Role.ADMIN,
}
# Never handed over: who created one saw a secret with which they could sign in as a person. A new one is soon created.
ALWAYS_ENDS: frozenset[OwnedKind] = frozenset({"personal_token", "invite"})

WORDS: dict[OwnedKind, tuple[str, str]] = {
    "agent": ("agent account", "agent accounts"),
    "agent_token": ("token of another's agent", "tokens of others' agents"),
    "personal_token": ("token for another person", "tokens for other people"),
    "webhook": ("outgoing webhook", "outgoing webhooks"),
    "github_webhook": ("GitHub webhook", "GitHub webhooks"),
    "share": ("share", "shares"),
    "picture": ("mirror of another server's project", "mirrors of other servers' projects"),
    "invite": ("pending invite", "pending invites"),
}


class OwnedItem(NamedTuple):
    """`tokens` and `claims` are those of an agent, which end or go over with it. `project_id` is where it belongs."""

    kind: OwnedKind
    id: str
    name: str
    tokens: int = 0
    claims: int = 0
    project_id: str | None = None


class OwnershipOutcome(NamedTuple):
    ended: list[OwnedItem]
    handed_over: list[OwnedItem]


def check_may_own(role: RoleWord | str, kind: OwnedKind) -> None:
    """For what outlives the call: the role may have changed since the caller was authenticated."""
    if Role.from_label(role) < NEEDED[kind]:
        raise RoleForbids(
            f"Your role here is {role}; this needs {NEEDED[kind].label}. Ask an owner or admin of the workspace.",
            role=role,
            needed=NEEDED[kind].label,
        )


def items_not_ownable_by_role(owned: Iterable[OwnedItem], role: Role) -> list[OwnedItem]:
    """What somebody with that role may not own. An invite is checked against its creator's role when it is opened."""
    return [item for item in owned if item.kind != "invite" and NEEDED[item.kind] > role]


def split_into_ended_and_handed_over(owned: list[OwnedItem], *, hand_over: bool) -> OwnershipOutcome:
    ending = ALWAYS_ENDS if hand_over else frozenset(NEEDED)
    return OwnershipOutcome(
        [item for item in owned if item.kind in ending], [item for item in owned if item.kind not in ending]
    )


def role_needed_to_own(owned: Iterable[OwnedItem]) -> Role:
    """The lowest role that may own all that can be handed over; an agent never owns."""
    return max((NEEDED[item.kind] for item in owned if item.kind not in ALWAYS_ENDS), default=Role.MEMBER)


def check_may_take_over(new_owner: Account, leaver: Account, owned: list[OwnedItem]) -> None:
    needed = role_needed_to_own(owned)
    if new_owner.user_id == leaver.user_id:
        wrong = f"{leaver.name} cannot take over what is theirs already."
    elif new_owner.kind == "agent":
        wrong = f"{new_owner.name} is an agent's account; a person has to answer for what is handed over."
    elif Role.from_label(new_owner.role) < needed:
        wrong = f"{new_owner.name} is {new_owner.role}; what {leaver.name} owns needs {needed.label} or above."
    else:
        return
    raise RuleBroken(
        f"{wrong} Hand over to a person who is {needed.label} or above, or leave hand_over_to out to end it all.",
        code="cannot_own",
        person_message=f"{wrong} Choose somebody who is {needed.label} or above, or end it all.",
        needed=needed.label,
    )


def check_decision_on_unownable_items(
    account: Account, new_role: Role, unownable_items: list[OwnedItem], *, is_decision_given: bool
) -> None:
    """A lower role is given only together with a decision about what it may not own."""
    if unownable_items and not is_decision_given:
        counts = describe_owned_counts(item.kind for item in unownable_items)
        problem = f"{account.name} owns what a {new_role.label} may not: {counts}."
        raise RuleBroken(
            f"{problem} Name who takes it over in hand_over_to, or end it with end_owned; preview_removal lists it.",
            code="owns_too_much",
            person_message=f"{problem} Decide what becomes of it first: Change role in the menu beside their name.",
        )


def describe_owned_counts(kinds: Iterable[OwnedKind]) -> str:
    """Such as "2 agent accounts, 1 outgoing webhook"."""
    counts = Counter(kinds)
    return ", ".join(f"{many} {WORDS[kind][many != 1]}" for kind in WORDS if (many := counts[kind]))


def describe_credential_and_claim_counts(tokens: int, grants: int, claims: int) -> str:
    """What is in somebody's own name, such as "1 token, 2 claims"."""
    counts = ((tokens, "token"), (grants, "signed-in agent"), (claims, "claim"))
    return ", ".join(f"{many} {word}{'s' if many != 1 else ''}" for many, word in counts if many)
