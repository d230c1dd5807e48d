"""Who calls, and may they call now: origin, token, rate."""

from starlette.types import Scope

from pendesk.domain.access import Actor, Channel
from pendesk.domain.errors import Forbidden, Unauthenticated
from pendesk.operations.access import authenticate_token
from pendesk.operations.access.authenticate_token import AuthenticateToken
from pendesk.operations.dispatch import Dispatcher
from pendesk.transports.anonymous_limits import client_throttle_key
from pendesk.transports.call_origin import read_call_origin
from pendesk.transports.service import Service
from pendesk.transports.throttle import Throttle

_MISSING = "Send a token: Authorization: Bearer pendesk_mcp_... Create one with `pendesk token create`."


class Authenticator:
    def __init__(self, service: Service, throttle: Throttle, unknown_tokens: Throttle) -> None:
        self._dispatcher = service.dispatcher
        self._throttle = throttle
        self._unknown_tokens = unknown_tokens
        self._origin = service.installation.public_url

    async def authenticate(self, scope: Scope, headers: dict[bytes, bytes], via: Channel) -> Actor:
        actor = await self.authenticate_uncounted(scope, headers, via)
        await self.count_request_or_refuse(actor)
        return actor

    async def count_request_or_refuse(self, actor: Actor) -> None:
        if actor.token_id is not None:
            await self._throttle.count_request_or_refuse(actor.token_id)

    async def authenticate_uncounted(self, scope: Scope, headers: dict[bytes, bytes], via: Channel) -> Actor:
        """Where what is called decides which limit it counts for. `headers` are those of `scope`."""
        self.check_origin(headers)
        authorization = headers.get(b"authorization")
        try:
            actor = await authenticate_bearer_token(
                self._dispatcher, authorization.decode("latin-1") if authorization else None, via
            )
        except Unauthenticated as refusal:
            if refusal.details.get("sent"):
                # Only who fails is counted: a good token works from an address that others, too, come from.
                await self._unknown_tokens.count_request_or_refuse(client_throttle_key(scope))
            raise
        return actor._replace(origin=read_call_origin(headers))

    def check_origin(self, headers: dict[bytes, bytes]) -> None:
        """A browser says which page calls. Another site's page must not reach a server on the reader's machine."""
        origin, host = (headers.get(name, b"").decode("latin-1") for name in (b"origin", b"host"))
        if origin and origin not in (self._origin, f"http://{host}", f"https://{host}"):
            raise Forbidden("This origin may not call here. Call from a program, or from the server's own pages.")


async def authenticate_bearer_token(dispatcher: Dispatcher, authorization_header: str | None, via: Channel) -> Actor:
    scheme, _, secret = (authorization_header or "").partition(" ")
    secret = secret.strip()
    if scheme.lower() != "bearer" or not secret:
        raise Unauthenticated(_MISSING)
    return await dispatcher.call_by_secret(authenticate_token.OPERATION, AuthenticateToken(secret, via))
