"""A client gives back what it was given (RFC 7009): any token of a grant ends the whole grant."""

from pendesk.domain import token
from pendesk.domain.errors import OAuthRefused
from pendesk.operations.dispatch import Store
from pendesk.operations.oauth.issue import end_grant
from pendesk.operations.operation import Installation
from pendesk.store import grants
from pendesk.store.engine.tx import Tx


async def end_by_token(store: Store, installation: Installation, secret: str, client_id: str) -> None:
    """Who holds the token may end it. Unknown ones are no error: what was wanted holds already."""
    if not token.is_token(secret, token.ACCESS_PREFIX, token.REFRESH_PREFIX):
        return
    token_hash = token.digest(secret)

    def find(tx: Tx) -> tuple[str, str] | None:
        refresh = grants.refresh_token(tx, token_hash)
        return (refresh.workspace_id, refresh.grant_id) if refresh else grants.of_access_token(tx, token_hash)

    found = await store.read("", find)
    if found is None:
        return
    workspace_id, grant_id = found

    def work(tx: Tx) -> None:
        grant = grants.by_id(tx, grant_id)
        if grant is not None and client_id and grant.client_id != client_id:
            raise OAuthRefused("invalid_client", "This token was given to another client. Leave client_id out.")
        end_grant(tx, installation, grant_id, "the client signed out")

    await store.write(workspace_id, work)
