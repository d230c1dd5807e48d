"""Goes out for operations that ask another server, by the one guarded way."""

from pendesk.domain.errors import OtherServerSilent, RuleBroken
from pendesk.domain.limits import OUTBOUND_BYTES, OUTBOUND_S
from pendesk.operations.outbound import JSON, Reply
from pendesk.settings import Settings
from pendesk.transports.fetch import (
    Allowed,
    Fetcher,
    NotAllowed,
    Unfetchable,
    is_public_https,
    is_public_https_or_private,
    is_uncompressed_json,
)


class HttpOutbound:
    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    async def send(
        self,
        method: str,
        url: str,
        token: str | None = None,
        body: bytes = b"",
        *,
        accept: str = JSON,
        max_bytes: int = OUTBOUND_BYTES,
    ) -> Reply:
        headers = {"Accept": accept}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if body:
            headers["Content-Type"] = "application/json"
        try:
            answer = await self._fetcher.send(method, url, headers, body, max_bytes)
        except NotAllowed as refused:
            raise _not_allowed_error(refused) from None
        except Unfetchable as failed:
            raise OtherServerSilent(
                f"The other server gave no answer: {failed}. Nothing was changed here. Check its address, or try "
                "again later.",
                code="server_unreachable",
            ) from None
        is_readable = is_uncompressed_json(answer) if accept == JSON else "content-encoding" not in answer.headers
        return Reply(answer.status, answer.body if is_readable else b"", answer.headers)

    async def check_allowed(self, url: str) -> None:
        try:
            await self._fetcher.check_allowed(url)
        except NotAllowed as refused:
            raise _not_allowed_error(refused) from None


def create_http_outbound(settings: Settings) -> HttpOutbound:
    return HttpOutbound(Fetcher(allowed=outgoing_rule(settings), timeout_s=OUTBOUND_S, max_bytes=OUTBOUND_BYTES))


def outgoing_rule(settings: Settings) -> Allowed:
    """Where the server goes by itself: for what operations ask and for webhooks alike."""
    return is_public_https_or_private if settings.outgoing_private_addresses == "on" else is_public_https


def _not_allowed_error(refused: NotAllowed) -> RuleBroken:
    return RuleBroken(
        f"That server is not asked: {refused}. Give its public https address. Whoever runs this server may let it "
        "reach its own network, by the setting outgoing_private_addresses.",
        code="address_not_allowed",
    )
