"""A bearer token -> the actor it speaks for. Personal tokens and OAuth access tokens alike, by one lookup."""

from pendesk.clock import MICROSECONDS
from pendesk.domain import token
from pendesk.domain.access import Actor, Channel, Role, Scope
from pendesk.domain.errors import Unauthenticated
from pendesk.operations.dispatch import Store
from pendesk.store import tokens
from pendesk.store.engine.tx import Tx

# Last use is told to the minute: writing it on every request would make every read a write.
USED_GRAIN_US = 60 * MICROSECONDS

_MISSING = "Send a token: Authorization: Bearer pendesk_mcp_... Make one with `pendesk token create`."
_BAD = "This token is unknown, expired or revoked. Sign in again, or make a new one with `pendesk token create`."


async def authenticate(store: Store, authorization: str | None, via: Channel) -> Actor:
    scheme, _, secret = (authorization or "").partition(" ")
    secret = secret.strip()
    if scheme.lower() != "bearer" or not secret:
        raise Unauthenticated(_MISSING)
    if not token.is_token(secret, token.PREFIX, token.ACCESS_PREFIX):
        raise Unauthenticated(_BAD, sent=True)
    token_hash = token.digest(secret)

    def find(tx: Tx) -> tuple[tokens.Bearer | None, int]:
        return tokens.bearer(tx, token_hash), tx.now

    bearer, now = await store.read("", find)
    if bearer is None:
        raise Unauthenticated(_BAD, sent=True)
    if bearer.expires_at is not None and bearer.expires_at <= now:
        # Expired once is expired for good: it must not come back when the clock is set back.
        await store.write(bearer.workspace_id, lambda tx: tokens.revoke(tx, bearer.token_id))
        raise Unauthenticated(_BAD, sent=True)
    if bearer.last_used_at is None or now - bearer.last_used_at >= USED_GRAIN_US:
        await store.write(bearer.workspace_id, lambda tx: tokens.save_used(tx, bearer.token_id))
    scopes = frozenset(Scope(word) for word in bearer.scopes.split())
    role = Role.from_word(bearer.role)
    # What a grant's tokens do counts together: a fresh one does not open the rate limit again.
    token_id = bearer.grant_id or bearer.token_id
    return Actor(bearer.workspace_id, bearer.user_id, bearer.user_name, role, scopes, via, token_id)
