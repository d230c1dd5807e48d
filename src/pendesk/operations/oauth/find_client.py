"""find_client: the program behind a client_id: the built-in one, or one that is known. Nothing is fetched."""

from pendesk.domain import oauth
from pendesk.domain.oauth import OAuthClient
from pendesk.ids import parse_id
from pendesk.operations.operation import Answer, Installation, Kind, PrivilegedCall, SecretOperation
from pendesk.store import clients


def check(_installation: Installation, client_id: str) -> Answer[OAuthClient | None] | None:
    if client_id == oauth.BUILT_IN_ID:
        return Answer(oauth.BUILT_IN)
    is_well_formed = parse_id(client_id) == client_id or oauth.is_client_metadata_url(client_id)
    return None if is_well_formed else Answer(None)


def find(call: PrivilegedCall, client_id: str) -> Answer[OAuthClient | None]:
    return Answer(clients.by_id(call.tx, client_id))


OPERATION: SecretOperation[str, None, OAuthClient | None] = SecretOperation(
    name="find_client",
    title="Find an OAuth client",
    description="The client of this id, or None where it is not known here.",
    input=str,
    output=OAuthClient | None,
    kind=Kind.READ,
    check=check,
    find=find,
    verify=None,
    run=None,
)
