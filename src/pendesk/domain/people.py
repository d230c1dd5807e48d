"""Workspaces, users, members, and what lets them in."""

from typing import Literal, NamedTuple

# Who takes part in specs: every member but viewers, or who is invited to one.
Participation = Literal["everyone", "invitation"]


class Workspace(NamedTuple):
    id: str
    name: str
    created_at: int
    participation: Participation = "invitation"


class User(NamedTuple):
    """The email is in lower case; an agent's own account has none, and no password."""

    id: str
    kind: str
    email: str | None
    name: str
    password_hash: str | None
    created_at: int


class Member(NamedTuple):
    """An agent's account has a maker and an owner, who answers for it; people answer for themselves."""

    user_id: str
    role: str
    added_at: int
    removed_at: int | None
    created_by: str | None = None
    owner_id: str | None = None


class Token(NamedTuple):
    """scopes are words separated by spaces; only the hash of the secret is stored.

    A token of a grant is an OAuth access token; one without is a personal token. It speaks for user_id; who made it
    (created_by) saw the secret, and who owns it now (owner_id) answers for it.
    """

    id: str
    user_id: str
    name: str
    hash: str
    scopes: str
    created_by: str
    owner_id: str
    created_at: int
    expires_at: int | None
    last_used_at: int | None
    revoked_at: int | None
    grant_id: str | None = None


class Session(NamedTuple):
    """A browser that is signed in. Its id names it to its person; the secret in the cookie is another."""

    id: str
    workspace_id: str
    began_by: str
    browser: str
    created_at: int
    expires_at: int


class Invite(NamedTuple):
    """One who is not a member yet may become one with this role, once. It is its maker's, and ends with them."""

    id: str
    hash: str
    email: str
    role: str
    created_by: str
    created_at: int
    expires_at: int
    used_at: int | None


class Account(NamedTuple):
    """A present member together with the user behind it, and the maker and owner of an agent's account."""

    user_id: str
    kind: str
    email: str | None
    name: str
    has_password: bool
    role: str
    added_at: int
    created_by: str | None
    created_by_name: str | None
    owner_id: str | None
    owner_name: str | None
