"""save_client_document: what a client's own address says of it, saved until it is fetched again."""

from typing import NamedTuple

from pendesk.domain.oauth import OAuthClient
from pendesk.operations.operation import Kind, PrivilegedCall, SecretOperation
from pendesk.store import clients
from pendesk.store.engine.json_text import to_json


class SaveClientDocument(NamedTuple):
    client_id: str
    name: str
    redirect_uris: list[str]


def run(call: PrivilegedCall, args: SaveClientDocument, _match: None) -> OAuthClient:
    client = OAuthClient(args.client_id, "document", args.name, to_json(args.redirect_uris), call.now, None, call.now)
    clients.upsert(call.tx, client)
    clients.delete_oldest_unused_over_limit(call.tx)
    return client


OPERATION: SecretOperation[SaveClientDocument, None, OAuthClient] = SecretOperation(
    name="save_client_document",
    title="Save a client's description",
    description="The client, as its own address describes it now.",
    input=SaveClientDocument,
    output=OAuthClient,
    kind=Kind.WRITE,
    check=None,
    find=None,
    verify=None,
    run=run,
)
