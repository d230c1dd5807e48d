"""Who may change whose rights."""

from pendesk.domain.access import Actor, Role
from pendesk.domain.errors import RoleForbids, RuleBroken
from pendesk.domain.people import Account


def may_manage_account(actor: Actor, account: Account) -> bool:
    """Whether the actor may be given a credential of the account: never one of an equal or higher rank."""
    if actor.user_id == account.user_id or actor.role is Role.OWNER:
        return True
    return actor.role is Role.ADMIN and Role.from_label(account.role) < Role.ADMIN


def check_may_manage_account(actor: Actor, account: Account) -> None:
    if not may_manage_account(actor, account):
        raise RoleForbids(
            f"Your role here is {actor.role.label}, so you cannot do this for {account.name}, who is {account.role}. "
            "Do it for yourself, or ask an owner.",
            role=actor.role.label,
        )


def check_may_grant_role(actor: Actor, role: Role) -> None:
    if role > actor.role:
        raise RoleForbids(
            f"Your role here is {actor.role.label}, so you cannot give the role {role.label}. Ask an owner.",
            role=actor.role.label,
            needed=role.label,
        )


def check_may_change_or_remove_member(actor: Actor, account: Account) -> None:
    """Admins manage those below them; owners manage everyone, themselves included."""
    if actor.role is not Role.OWNER and Role.from_label(account.role) >= actor.role:
        raise RoleForbids(
            f"{account.name} is {account.role}; only an owner may change that.",
            role=actor.role.label,
            needed=Role.OWNER.label,
        )


def check_not_last_owner(account: Account, owner_count: int) -> None:
    if account.role == Role.OWNER.label and owner_count <= 1:
        raise RuleBroken(
            f"{account.name} is the last owner of the workspace. Give someone else the role owner first.",
            code="last_owner",
        )
