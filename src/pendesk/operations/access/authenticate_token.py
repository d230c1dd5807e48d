"""authenticate_token: a bearer token -> the actor it speaks for. Personal and OAuth access tokens alike, by one lookup.

On the path of every call over MCP and REST: one read, and a write at most once a minute.
"""

from functools import lru_cache
from typing import NamedTuple

from pendesk.clock import MICROSECONDS
from pendesk.domain import token
from pendesk.domain.access import Actor, Channel, Role, Scope
from pendesk.domain.errors import Unauthenticated
from pendesk.operations.operation import Answer, Installation, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import tokens
from pendesk.store.tokens import Bearer

# Last use is saved to the minute: writing it on every request would make every read a write.
USED_GRAIN_US = 60 * MICROSECONDS

_UNKNOWN = "This token is unknown, expired or revoked. Sign in again, or create a new one with `pendesk token create`."


class AuthenticateToken(NamedTuple):
    secret: str
    via: Channel


class TokenLookup(NamedTuple):
    bearer: Bearer
    expired: bool


def check(_installation: Installation, args: AuthenticateToken) -> None:
    if not token.has_token_format(args.secret, token.PREFIX, token.ACCESS_PREFIX):
        raise unknown_token_error()


def find(call: PrivilegedCall, args: AuthenticateToken) -> Match[TokenLookup] | Answer[Actor]:
    bearer = tokens.bearer_by_token_hash(call.tx, token.hash_secret(args.secret))
    if bearer is None:
        raise unknown_token_error()
    expired = bearer.expires_at is not None and bearer.expires_at <= call.now
    if expired or bearer.last_used_at is None or call.now - bearer.last_used_at >= USED_GRAIN_US:
        return Match(bearer.workspace_id, TokenLookup(bearer, expired))
    return Answer(_actor_from_bearer(bearer, args.via))


def run(call: PrivilegedCall, args: AuthenticateToken, seen: TokenLookup) -> Actor | Unauthenticated:
    if seen.expired:
        # Expired once is expired for good: it must not come back when the clock is set back.
        tokens.revoke(call.tx, seen.bearer.token_id)
        return unknown_token_error()
    tokens.record_use(call.tx, seen.bearer.token_id)
    return _actor_from_bearer(seen.bearer, args.via)


def _actor_from_bearer(bearer: Bearer, via: Channel) -> Actor:
    # What a grant's tokens do counts together: a new one does not open the rate limit again.
    token_id = bearer.grant_id or bearer.token_id
    role = Role.from_label(bearer.role)
    return Actor(
        bearer.workspace_id, bearer.user_id, bearer.user_name, role, _parse_scopes(bearer.scopes), via, token_id
    )


@lru_cache(maxsize=100)
def _parse_scopes(scopes: str) -> frozenset[Scope]:
    return frozenset(Scope(word) for word in scopes.split())


def unknown_token_error() -> Unauthenticated:
    return Unauthenticated(_UNKNOWN, sent=True)


OPERATION = SecretOperation(
    name="authenticate_token",
    title="Authenticate a token",
    description="The actor that a bearer token speaks for; refused where it is unknown, expired or revoked.",
    input=AuthenticateToken,
    output=Actor,
    kind=Kind.WRITE,
    check=check,
    find=find,
    verify=None,
    run=run,
)
