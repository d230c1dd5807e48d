"""Who calls, and what they may do."""

from collections.abc import Collection
from enum import IntEnum, StrEnum
from typing import Literal, NamedTuple

from pendesk.domain.agent_session import UNKNOWN_ORIGIN, CallOrigin
from pendesk.domain.errors import MissingScope, RoleForbids


class Scope(StrEnum):
    SPECS_READ = "specs.read"
    BUILDS_WRITE = "builds.write"
    DESK_READ = "desk.read"
    DESK_WRITE = "desk.write"
    SPECS_WRITE = "specs.write"
    # Held by a signed-in person and by the local command line, never by a token: an agent that works with a
    # person's token cannot review its own work, hand out tokens or change members.
    PERSON = "person"
    # Held only by a webhook whose signature was checked.
    WEBHOOK = "webhook"
    # Held only by a guest who opens the link of a share.
    GUEST = "guest"
    # Asked for where every token and every person may: who the caller is, and what waits for them.
    ANY = "any"


BUILDING_SCOPES = frozenset({Scope.SPECS_READ, Scope.BUILDS_WRITE})
PLANNING_SCOPES = frozenset({Scope.DESK_READ, Scope.DESK_WRITE, Scope.SPECS_WRITE})
TOKEN_SCOPES = BUILDING_SCOPES | PLANNING_SCOPES
# All that a person has.
ALL_SCOPES = frozenset(Scope) - {Scope.WEBHOOK, Scope.GUEST, Scope.ANY}


def join_scopes(scopes: Collection[str]) -> str:
    """As they are stored and sent: each once, in a fixed order."""
    return " ".join(scope for scope in Scope if scope in scopes)


ToolSetName = Literal["build", "plan", "all"]


class ToolSet(NamedTuple):
    """What an agent is for. People choose one of these everywhere, in these words, instead of scopes."""

    name: ToolSetName
    label: str
    purpose: str
    scopes: frozenset[Scope]

    @property
    def title(self) -> str:
        return f"{self.label}: {self.purpose}"

    @property
    def scope_text(self) -> str:
        return join_scopes(self.scopes)


DEFAULT_TOOL_SET: ToolSetName = "build"
TOOL_SETS: dict[str, ToolSet] = {
    tool_set.name: tool_set
    for tool_set in (
        ToolSet("build", "Build", "take published work, build it and submit it for review", BUILDING_SCOPES),
        ToolSet(
            "plan",
            "Plan",
            "plan projects, work on their actions and draft specs for a person to accept",
            PLANNING_SCOPES,
        ),
        ToolSet("all", "Both", "build and plan", TOKEN_SCOPES),
    )
}


def find_tool_set(scopes: Collection[str]) -> ToolSet | None:
    """The set that these scopes are; None for any other choice of scopes."""
    return next((tool_set for tool_set in TOOL_SETS.values() if tool_set.scopes == set(scopes)), None)


def describe_scopes(scopes: Collection[str]) -> str:
    """In one word where they are a set, else in full."""
    tool_set = find_tool_set(scopes)
    return tool_set.name if tool_set else join_scopes(scopes)


class Role(IntEnum):
    VIEWER = 1
    MEMBER = 2
    ADMIN = 3
    OWNER = 4

    @property
    def label(self) -> str:
        return self.name.lower()

    @classmethod
    def from_label(cls, label: str) -> "Role":
        return cls[label.upper()]


RoleWord = Literal["owner", "admin", "member", "viewer"]
Channel = Literal["mcp", "rest", "web", "cli", "webhook", "share"]
UserKind = Literal["person", "agent"]
# No agent comes by these: what is done here, a person does with their own hands.
PERSON_CHANNELS: frozenset[Channel] = frozenset({"web", "cli"})


NO_USER = ""
CredentialKind = Literal["token", "session", "user"]


class Credential(NamedTuple):
    """What a caller came in with. `id` is that of a personal token or OAuth grant, of a sign-in, or of the user, who
    needs neither on the server's own machine.
    """

    kind: CredentialKind
    id: str


class Actor(NamedTuple):
    """The caller of one operation: one user in one workspace, or a service without an account (NO_USER).

    `token_id` is that of a personal token or of an OAuth grant, and `session_id` a person's sign-in. `origin` tells the
    agent sessions of a token apart.
    """

    workspace_id: str
    user_id: str
    user_name: str
    role: Role
    scopes: frozenset[Scope]
    via: Channel
    token_id: str | None = None
    session_id: str | None = None
    origin: CallOrigin = UNKNOWN_ORIGIN

    @property
    def credential(self) -> Credential:
        if self.token_id is not None:
            return Credential("token", self.token_id)
        return Credential("user", self.user_id) if self.session_id is None else Credential("session", self.session_id)


def github_actor(workspace_id: str) -> Actor:
    """GitHub, once its signature is good. It has no account: the log shows what it did without a user."""
    return Actor(workspace_id, NO_USER, "GitHub", Role.MEMBER, frozenset({Scope.WEBHOOK}), "webhook")


def anonymous_actor(workspace_id: str) -> Actor:
    """Whoever sends a secret, until it is known for whom it speaks."""
    return Actor(workspace_id, NO_USER, "", Role.VIEWER, frozenset(), "web")


def guest_actor(workspace_id: str) -> Actor:
    """Whoever has the link of a share. It has no account, and may do nothing but what the link itself is for."""
    return Actor(workspace_id, NO_USER, "Guest", Role.VIEWER, frozenset({Scope.GUEST}), "share")


def server_actor(workspace_id: str) -> Actor:
    """The server itself, at its own chores: what webhooks are sent, and reading the log for all who follow it."""
    return Actor(workspace_id, NO_USER, "Pendesk", Role.ADMIN, frozenset({Scope.DESK_READ, Scope.PERSON}), "webhook")


def check_still_member(is_member: bool) -> None:
    """For what outlives the call: the caller may have been removed since they were authenticated."""
    if not is_member:
        raise no_longer_member_error()


def no_longer_member_error() -> RoleForbids:
    return RoleForbids("You are no longer a member of this workspace. Ask one of its admins to add you again.")


def has_scope(actor: Actor, required_scope: Scope) -> bool:
    granted = TOKEN_SCOPES if required_scope is Scope.ANY else {required_scope}
    return not granted.isdisjoint(actor.scopes)


def check_permission(actor: Actor, required_scope: Scope, min_role: Role) -> None:
    if not has_scope(actor, required_scope):
        raise MissingScope(required_scope)
    if actor.role < min_role:
        raise RoleForbids(
            f"Your role here is {actor.role.label}; this needs {min_role.label}. Ask an owner or admin of the "
            "workspace.",
            role=actor.role.label,
            needed=min_role.label,
        )
