"""The authorization server's nouns and rules: clients, what they ask for, and how a proof is checked."""

import base64
import hashlib
import hmac
import json
import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import NamedTuple

from pendesk.domain import limits, redirect
from pendesk.domain.access import TOKEN_SCOPES, TOOL_SETS, Scope, ToolSet, find_tool_set, join_scopes
from pendesk.domain.errors import OAuthRefused

BUILT_IN_ID = "penling-mcp"
UNNAMED = "A program without a name"

# What a person reads before they agree.
SCOPE_WORDS = {
    Scope.SPECS_READ: "Read the published specs, plans and actions that you take part in",
    Scope.BUILDS_WRITE: "Claim actions, report progress and submit work for review, in your name",
    Scope.DESK_READ: "Read projects, actions, documents, notes, comments and the list of members",
    Scope.DESK_WRITE: "Create and edit projects, actions, documents, notes and comments, in your name",
    Scope.SPECS_WRITE: "Propose specs and plans, which a person accepts or rejects",
}


class ConsentChoice(NamedTuple):
    """What a person may grant: what the client requested (no tools are named), or one of the sets of tools."""

    tools: str
    label: str
    purpose: str
    can_do: list[str]
    requested: bool


def consent_choices(requested_scopes: str) -> list[ConsentChoice]:
    """The requested one first. Only the person widens it: they read the same words for every choice."""
    requested = find_tool_set(requested_scopes.split())
    label, purpose = (requested.label, requested.purpose) if requested else ("As requested", "these scopes alone")
    others = [tool_set for tool_set in TOOL_SETS.values() if tool_set is not requested]
    return [
        ConsentChoice("", label, purpose, _scope_texts(requested_scopes.split()), requested=True),
        *(_unrequested_choice(tool_set) for tool_set in others),
    ]


def _unrequested_choice(tool_set: ToolSet) -> ConsentChoice:
    return ConsentChoice(
        tool_set.name, tool_set.label, tool_set.purpose, _scope_texts(tool_set.scopes), requested=False
    )


def _scope_texts(scopes: Collection[str]) -> list[str]:
    return [SCOPE_WORDS[Scope(scope)] for scope in join_scopes(scopes).split()]


def granted_scopes(requested_scopes: str, tools: str) -> str:
    return TOOL_SETS[tools].scope_text if tools else requested_scopes


_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}\Z")
_DOCUMENT_URL = re.compile(r"https://[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+\Z")

# Letters that form no words and are not mistaken for one another.
USER_CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
_NOT_A_LETTER = re.compile(f"[^{USER_CODE_LETTERS}]")


class OAuthClient(NamedTuple):
    """redirect_uris is a JSON list; fetched_at is set where the client describes itself at its own address."""

    id: str
    kind: str
    name: str
    redirect_uris: str
    created_at: int
    used_at: int | None
    fetched_at: int | None

    def allows_redirect_uri(self, uri: str) -> bool:
        if self.id == BUILT_IN_ID:
            return redirect.is_built_in_client_redirect_uri(uri)
        return redirect.is_registered_redirect_uri(uri, json.loads(self.redirect_uris))


BUILT_IN = OAuthClient(BUILT_IN_ID, "built-in", "An agent set up by hand (penling-mcp)", "[]", 0, 0, None)


class PendingConsent(NamedTuple):
    """A consent page that waits for its answer: from a browser (redirect_uri) or for a device (device_hash)."""

    hash: str
    session_hash: str
    client_id: str
    client_name: str
    redirect_uri: str | None
    state: str | None
    challenge: str | None
    scopes: str
    resource: str
    device_hash: str | None
    expires_at: int


class AuthorizationCode(NamedTuple):
    hash: str
    workspace_id: str
    user_id: str
    client_id: str
    client_name: str
    redirect_uri: str
    challenge: str
    scopes: str
    resource: str
    expires_at: int
    used_at: int | None
    grant_id: str | None


class Grant(NamedTuple):
    """What a person gave a client; its tokens come and go, and end with it.

    Each renewal moves expires_at; where tokens have a longest life, none moves it beyond ends_at.
    """

    id: str
    user_id: str
    client_id: str
    client_name: str
    scopes: str
    resource: str
    created_at: int
    refreshed_at: int
    expires_at: int
    revoked_at: int | None
    ends_at: int | None = None


class RefreshToken(NamedTuple):
    hash: str
    workspace_id: str
    grant_id: str
    expires_at: int
    used_at: int | None


class DeviceAuthorization(NamedTuple):
    hash: str
    user_code_mac: str
    client_id: str
    client_name: str
    scopes: str
    resource: str
    expires_at: int
    interval_s: int
    polled_at: int | None
    state: str
    workspace_id: str | None
    user_id: str | None


def normalize_scopes(requested: str, default: str) -> str:
    """The requested scopes, each once and in a fixed order; the advertised ones where none is named."""
    words = set((requested or default).split(" ")) - {""}
    unknown = words - TOKEN_SCOPES
    if unknown or not words:
        raise OAuthRefused("invalid_scope", f"Ask for one or more of: {join_scopes(TOKEN_SCOPES)}.")
    return join_scopes(words)


def check_scopes_granted(requested: str, granted: str) -> None:
    if not set(requested.split()) <= set(granted.split()):
        raise OAuthRefused("invalid_scope", f"This was granted: {granted}. Ask for these or fewer, or sign in again.")


def require_this_server_as_resource(requested_resources: Iterable[str], server_origin: str) -> str:
    """This server is one resource, which clients name with and without the endpoint's path."""
    own = f"{server_origin}/mcp"
    for resource in requested_resources:
        if resource.removesuffix("/") not in (own, server_origin):
            raise OAuthRefused("invalid_target", f"Tokens of this server are good for {own} only.")
    return own


def check_is_s256_pkce_challenge(challenge: str, method: str) -> None:
    if method != "S256":
        raise OAuthRefused("invalid_request", "Send code_challenge_method=S256; no other is accepted.")
    if not _CHALLENGE.match(challenge):
        raise OAuthRefused("invalid_request", "Send a code_challenge: the SHA-256 of the verifier, base64url, 43 long.")


def matches_pkce_challenge(verifier: str, challenge: str) -> bool:
    """Whether the client that redeems the code is the one that requested it (RFC 7636, S256)."""
    if not _VERIFIER.match(verifier):
        return False
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
    return hmac.compare_digest(digest, challenge.encode())


def sanitize_client_name(name: str) -> str:
    """What a client calls itself, without what could make a person read something else: controls, marks that turn
    the direction of text, invisible characters."""
    visible = "".join(" " if char.isspace() else char for char in name if char.isspace() or _is_visible(char))
    words = " ".join(visible.split())
    return (words[: limits.CLIENT_NAME_CHARS].strip() + "…") if len(words) > limits.CLIENT_NAME_CHARS else words


def _is_visible(char: str) -> bool:
    return not unicodedata.category(char).startswith("C")


def is_client_metadata_url(client_id: str) -> bool:
    """Whether a client names itself by the address of its description: https, a plain host, a path, nothing else."""
    return len(client_id) <= limits.CLIENT_ID_CHARS and _DOCUMENT_URL.match(client_id) is not None


def make_user_code(random_bytes: bytes) -> str:
    """Eight letters; read from eight random bytes and more, whose rest does not favour any letter noticeably."""
    number, letters = int.from_bytes(random_bytes), []
    for _ in range(limits.USER_CODE_LETTERS):
        number, digit = divmod(number, len(USER_CODE_LETTERS))
        letters.append(USER_CODE_LETTERS[digit])
    return "".join(letters)


def normalize_user_code(typed: str) -> str:
    """As a person types it: with or without the dash, in small letters."""
    return _NOT_A_LETTER.sub("", typed[:100].upper())


def format_user_code(code: str) -> str:
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"
