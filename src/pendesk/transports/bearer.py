"""The bearer token of a request -> the actor it speaks for."""

from pendesk.domain.access import Actor, Channel
from pendesk.domain.errors import Unauthenticated
from pendesk.operations.access import authenticate_token
from pendesk.operations.access.authenticate_token import AuthenticateToken
from pendesk.operations.dispatch import Dispatcher

_MISSING = "Send a token: Authorization: Bearer pendesk_mcp_... Create one with `pendesk token create`."


async def authenticate_bearer_token(dispatcher: Dispatcher, authorization_header: str | None, via: Channel) -> Actor:
    scheme, _, secret = (authorization_header or "").partition(" ")
    secret = secret.strip()
    if scheme.lower() != "bearer" or not secret:
        raise Unauthenticated(_MISSING)
    return await dispatcher.call_by_secret(authenticate_token.OPERATION, AuthenticateToken(secret, via))
