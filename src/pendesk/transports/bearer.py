"""A bearer token -> the actor it speaks for."""

from pendesk.clock import MICROSECONDS
from pendesk.domain import token
from pendesk.domain.access import Actor, Door, Role, Scope
from pendesk.domain.errors import Unauthenticated
from pendesk.operations.dispatch import Store
from pendesk.store import tokens
from pendesk.store.tx import Tx

# Last use is told to the minute: writing it on every request would make every read a write.
USED_GRAIN_US = 60 * MICROSECONDS

_MISSING = "Send a token: Authorization: Bearer pendesk_mcp_... Make one with `pendesk token create`."
_BAD = "This token is unknown, expired or revoked. Make a new one with `pendesk token create`."


async def authenticate(store: Store, authorization: str | None, door: Door) -> Actor:
    scheme, _, secret = (authorization or "").partition(" ")
    secret = secret.strip()
    if scheme.lower() != "bearer" or not secret:
        raise Unauthenticated(_MISSING)
    if not token.is_token(secret):
        raise Unauthenticated(_BAD, sent=True)
    token_hash = token.digest(secret)

    def find(tx: Tx) -> tuple[tokens.Bearer | None, int]:
        return tokens.bearer(tx, token_hash), tx.now

    bearer, now = await store.read("", find)
    if bearer is None:
        raise Unauthenticated(_BAD, sent=True)
    if bearer.last_used_at is None or now - bearer.last_used_at >= USED_GRAIN_US:
        await store.write(bearer.workspace_id, lambda tx: tokens.save_used(tx, bearer.token_id))
    scopes = frozenset(Scope(word) for word in bearer.scopes.split())
    role = Role.from_word(bearer.role)
    return Actor(bearer.workspace_id, bearer.user_id, bearer.user_name, role, scopes, door, bearer.token_id)
