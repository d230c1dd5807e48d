"""Who may change whose rights."""

from pendesk.domain.access import Actor, Role
from pendesk.domain.errors import RoleForbids, RuleBroken
from pendesk.domain.people import Account


def may_act_for(actor: Actor, account: Account) -> bool:
    """Whether the actor may be given a credential of the account: never one of an equal or higher rank."""
    if actor.user_id == account.user_id or actor.role is Role.OWNER:
        return True
    return actor.role is Role.ADMIN and Role.from_word(account.role) < Role.ADMIN


def check_acts_for(actor: Actor, account: Account) -> None:
    if not may_act_for(actor, account):
        raise RoleForbids(
            f"Your role here is {actor.role.word}, so you cannot do this for {account.name}, who is {account.role}. "
            "Do it for yourself, or ask an owner.",
            role=actor.role.word,
        )


def check_may_give(actor: Actor, role: Role) -> None:
    if role > actor.role:
        raise RoleForbids(
            f"Your role here is {actor.role.word}, so you cannot give the role {role.word}. Ask an owner.",
            role=actor.role.word,
            needed=role.word,
        )


def check_may_change(actor: Actor, account: Account) -> None:
    """Admins manage those below them; owners manage everyone, themselves included."""
    if actor.role is not Role.OWNER and Role.from_word(account.role) >= actor.role:
        raise RoleForbids(
            f"{account.name} is {account.role}; only an owner may change that.",
            role=actor.role.word,
            needed=Role.OWNER.word,
        )


def check_owner_left(account: Account, owners: int) -> None:
    if account.role == Role.OWNER.word and owners <= 1:
        raise RuleBroken(
            f"{account.name} is the last owner of the workspace. Give someone else the role owner first.",
            code="last_owner",
        )
