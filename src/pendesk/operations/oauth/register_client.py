"""register_client: a program introduces itself. No secret is made: one on a person's machine could not keep it."""

from typing import NamedTuple

from pendesk.domain.oauth import OAuthClient
from pendesk.ids import new_id
from pendesk.operations.operation import Kind, PrivilegedCall, SecretOperation
from pendesk.store import clients
from pendesk.store.engine.json_text import to_json


class RegisterClient(NamedTuple):
    name: str
    redirect_uris: list[str]


def run(call: PrivilegedCall, args: RegisterClient, _match: None) -> OAuthClient:
    client = OAuthClient(new_id(), "registered", args.name, to_json(args.redirect_uris), call.now, None, None)
    clients.upsert(call.tx, client)
    clients.delete_oldest_unused_over_limit(call.tx)
    return client


OPERATION: SecretOperation[RegisterClient, None, OAuthClient] = SecretOperation(
    name="register_client",
    title="Register an OAuth client",
    description="The new client, with an id of its own.",
    input=RegisterClient,
    output=OAuthClient,
    kind=Kind.WRITE,
    check=None,
    find=None,
    verify=None,
    run=run,
)
