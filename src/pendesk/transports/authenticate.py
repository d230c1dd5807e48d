"""Who calls, and may they call now: origin, token, rate."""

from pendesk.domain.access import Actor, Channel
from pendesk.domain.errors import Forbidden
from pendesk.transports.bearer import authenticate_bearer_token
from pendesk.transports.service import Service
from pendesk.transports.throttle import Throttle


class Authenticator:
    def __init__(self, service: Service, throttle: Throttle) -> None:
        self._dispatcher = service.dispatcher
        self._throttle = throttle
        self._origin = service.installation.public_url

    async def authenticate(self, headers: dict[bytes, bytes], via: Channel) -> Actor:
        self.check_origin(headers)
        authorization = headers.get(b"authorization")
        actor = await authenticate_bearer_token(
            self._dispatcher, authorization.decode("latin-1") if authorization else None, via
        )
        if actor.token_id is not None:
            await self._throttle.count_request_or_refuse(actor.token_id)
        return actor

    def check_origin(self, headers: dict[bytes, bytes]) -> None:
        """A browser says which page calls. Another site's page must not reach a server on the reader's machine."""
        origin, host = (headers.get(name, b"").decode("latin-1") for name in (b"origin", b"host"))
        if origin and origin not in (self._origin, f"http://{host}", f"https://{host}"):
            raise Forbidden("This origin may not call here. Call from a program, or from the server's own pages.")
