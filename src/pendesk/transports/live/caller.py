"""Who opens a stream: by bearer token, or by the session cookie of one of our own pages."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from starlette.requests import cookie_parser
from starlette.types import Scope

from pendesk.domain import token
from pendesk.domain.access import Actor
from pendesk.domain.errors import Unauthenticated
from pendesk.operations.access import check_credentials, find_session
from pendesk.operations.access.check_credentials import Hashes
from pendesk.operations.admission import SESSION_ENDED
from pendesk.operations.dispatch import Dispatcher
from pendesk.transports.authenticate import Authenticator
from pendesk.transports.service import Service
from pendesk.transports.web.parts.session import session_cookie_name


class Caller(NamedTuple):
    """`hash` is of the token or of the session: what it is looked up by while the stream lasts."""

    actor: Actor
    credential: Literal["token", "session"]
    hash: str


async def authenticate_caller(
    service: Service, authenticator: Authenticator, scope: Scope, headers: dict[bytes, bytes]
) -> Caller:
    authorization = headers.get(b"authorization", b"").decode("latin-1")
    cookies = cookie_parser(headers.get(b"cookie", b"").decode("latin-1"))
    secret = cookies.get(session_cookie_name(service.installation.public_url))
    if authorization or not secret:
        actor = await authenticator.authenticate(scope, headers, "rest")
        return Caller(actor, "token", token.hash_secret(authorization.partition(" ")[2].strip()))
    authenticator.check_origin(headers)
    actor_of_session = await service.dispatcher.call_by_secret(find_session.OPERATION, secret[:200])
    if actor_of_session is None:
        raise Unauthenticated(SESSION_ENDED)
    return Caller(actor_of_session, "session", token.hash_secret(secret[:200]))


async def filter_still_authorized(dispatcher: Dispatcher, callers: Sequence[Caller]) -> set[Caller]:
    """Those whose token or session still speaks for the same member in the same role: one read for all of them."""
    by_token = list({caller.hash for caller in callers if caller.credential == "token"})
    by_session = list({caller.hash for caller in callers if caller.credential == "session"})
    roles = await dispatcher.call_as_server(check_credentials.OPERATION, Hashes(by_token, by_session))
    role_of = {"token": roles.tokens, "session": roles.sessions}
    return {caller for caller in callers if role_of[caller.credential].get(caller.hash) == caller.actor.role.label}
