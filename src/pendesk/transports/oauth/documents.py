"""Client ID Metadata Documents: a client whose id is the https address of its own description. A setting, off unless
an installation turns it on.
"""

import time

import msgspec
from starlette.requests import Request

from pendesk.domain import limits, oauth, redirect
from pendesk.domain.oauth import OAuthClient
from pendesk.operations.duplicate_keys import find_duplicate_key
from pendesk.operations.housekeeping import get_time
from pendesk.operations.oauth import find_client, save_client_document
from pendesk.operations.oauth.save_client_document import SaveClientDocument
from pendesk.transports.anonymous_limits import throttle_by_address, throttles_of
from pendesk.transports.fetch import Fetcher, Unfetchable
from pendesk.transports.service import Service

FAILED_S = 60.0
FAILED_REMEMBERED = 1_000


class ClientMetadataDocument(msgspec.Struct):
    client_id: str
    redirect_uris: list[str]
    client_name: str = ""
    token_endpoint_auth_method: str | None = None
    client_secret: str | None = None


_DECODER = msgspec.json.Decoder(ClientMetadataDocument)


async def find_or_fetch_client(request: Request, client_id: str) -> OAuthClient | None:
    """The client behind an id: known, or described at its address. Raises Unfetchable where that fails."""
    service: Service = request.app.state.service
    if not oauth.is_client_metadata_url(client_id):
        return await service.dispatcher.call_by_secret(find_client.OPERATION, client_id)
    if service.settings.client_id_metadata_documents != "on":
        return None
    known = await service.dispatcher.call_by_secret(find_client.OPERATION, client_id)
    now = await service.dispatcher.call_as_server(get_time.OPERATION, None)
    if known is not None and known.fetched_at is not None and 0 <= now - known.fetched_at < limits.DOCUMENT_FRESH_US:
        return known
    documents: ClientMetadataFetcher = request.app.state.documents
    documents.check_not_recently_failed(client_id)
    await throttle_by_address(request, throttles_of(request).documents, "document")
    document = await documents.fetch(client_id)
    name = oauth.sanitize_client_name(document.client_name) or oauth.UNNAMED
    description = SaveClientDocument(client_id, name, document.redirect_uris)
    return await service.dispatcher.call_by_secret(save_client_document.OPERATION, description)


class ClientMetadataFetcher:
    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._failed: dict[str, tuple[float, str]] = {}

    async def fetch(self, url: str) -> ClientMetadataDocument:
        try:
            return parse_client_metadata_document(url, await self._fetcher.fetch_json_bytes(url))
        except Unfetchable as error:
            if len(self._failed) >= FAILED_REMEMBERED:
                self._failed.pop(next(iter(self._failed)))
            self._failed[url] = (time.monotonic(), str(error))
            raise

    def check_not_recently_failed(self, url: str) -> None:
        """An address that just failed is not fetched again at once: nobody may use us to hammer it."""
        failed_at, reason = self._failed.get(url, (-FAILED_S, ""))
        if time.monotonic() - failed_at < FAILED_S:
            raise Unfetchable(reason)
        self._failed.pop(url, None)


def parse_client_metadata_document(url: str, body: bytes) -> ClientMetadataDocument:
    try:
        document = _DECODER.decode(body)
        duplicate = find_duplicate_key(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Unfetchable("its description is not what RFC 7591 describes") from None
    if duplicate is not None:
        raise Unfetchable("its description has a name twice in one object")
    if document.client_id != url:
        raise Unfetchable("its description names another client")
    if document.token_endpoint_auth_method not in (None, "none") or document.client_secret is not None:
        raise Unfetchable("only public clients, without a secret, are accepted")
    local = [uri for uri in document.redirect_uris if redirect.parse_loopback_uri(uri)][: limits.CLIENT_REDIRECTS]
    if not local:
        raise Unfetchable("its description names no address on the person's own machine")
    document.redirect_uris = local
    return document
