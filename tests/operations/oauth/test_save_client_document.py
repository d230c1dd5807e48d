from pendesk.operations.oauth import save_client_document
from pendesk.operations.oauth.save_client_document import SaveClientDocument
from tests.callers import find_client
from tests.operations.oauth.granting import BACK


async def test_a_description_is_saved_and_replaced_by_a_newer_one(desk):
    url = f"https://client.test/{desk.workspace}"
    for name in ("First", "Second"):
        desk.clock.forward(1)
        saved = await desk.dispatcher.call_by_secret(
            save_client_document.OPERATION, SaveClientDocument(url, name, [BACK])
        )
        assert saved.fetched_at == await desk.store.read("", lambda tx: tx.now)
        client = await find_client(desk.dispatcher, url)
        assert (client.id, client.name, client.kind) == (url, name, "document")
