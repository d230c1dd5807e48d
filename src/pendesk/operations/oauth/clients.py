"""Who asks: the built-in client, those that registered, and those that describe themselves at an address."""

from pendesk.domain import oauth
from pendesk.domain.oauth import Client
from pendesk.ids import new_id, parse_id
from pendesk.operations.dispatch import Store
from pendesk.store import clients
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Tx


async def find_client(store: Store, client_id: str) -> Client | None:
    """One that is known already; nothing is fetched here."""
    if client_id == oauth.BUILT_IN_ID:
        return oauth.BUILT_IN
    if parse_id(client_id) != client_id and not oauth.is_document_url(client_id):
        return None
    return await store.read("", lambda tx: clients.by_id(tx, client_id))


async def register_client(store: Store, name: str, redirect_uris: list[str]) -> Client:
    """No secret is made: a program on a person's machine could not keep one."""

    def work(tx: Tx) -> Client:
        client = Client(new_id(), "registered", name, to_json(redirect_uris), tx.now, None, None)
        clients.put(tx, client)
        clients.drop_oldest_unused(tx)
        return client

    return await store.write("", work)


async def save_document(store: Store, client_id: str, name: str, redirect_uris: list[str]) -> Client:
    """What a client's own address told, kept until it is asked again."""

    def work(tx: Tx) -> Client:
        client = Client(client_id, "document", name, to_json(redirect_uris), tx.now, None, tx.now)
        clients.put(tx, client)
        clients.drop_oldest_unused(tx)
        return client

    return await store.write("", work)
