"""Who opens a stream: by bearer token, or by the session cookie of one of our own pages."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from starlette.requests import cookie_parser

from pendesk.domain import token
from pendesk.domain.access import Actor
from pendesk.domain.errors import Unauthenticated
from pendesk.operations.access.start_session import find_session
from pendesk.operations.dispatch import Store
from pendesk.store import sign_in, tokens
from pendesk.store.engine.tx import Tx
from pendesk.transports.authenticate import Gate
from pendesk.transports.service import Service
from pendesk.transports.web.parts.session import cookie_name

_ENDED = "This session has ended. Sign in again."


class Caller(NamedTuple):
    """`hash` is of the token or of the session: what it is looked up by while the stream lasts."""

    actor: Actor
    by: Literal["token", "session"]
    hash: str


async def find_caller(service: Service, gate: Gate, headers: dict[bytes, bytes]) -> Caller:
    authorization = headers.get(b"authorization", b"").decode("latin-1")
    cookies = cookie_parser(headers.get(b"cookie", b"").decode("latin-1"))
    secret = cookies.get(cookie_name(service.installation.public_url))
    if authorization or not secret:
        actor = await gate.admit(headers, "rest")
        return Caller(actor, "token", token.digest(authorization.partition(" ")[2].strip()))
    gate.check_origin(headers)
    found = await find_session(service.store, secret[:200])
    if found is None:
        raise Unauthenticated(_ENDED)
    return Caller(found, "session", token.digest(secret[:200]))


async def still_good(store: Store, callers: Sequence[Caller]) -> set[Caller]:
    """Those whose token or session still speaks for the same member in the same role: one read for all of them."""
    by_token = list({caller.hash for caller in callers if caller.by == "token"})
    by_session = list({caller.hash for caller in callers if caller.by == "session"})

    def look(tx: Tx) -> dict[str, dict[str, str]]:
        return {
            "token": tokens.roles_by_hash(tx, by_token) if by_token else {},
            "session": sign_in.roles_by_hash(tx, by_session) if by_session else {},
        }

    roles = await store.read("", look)
    return {caller for caller in callers if roles[caller.by].get(caller.hash) == caller.actor.role.word}
