"""revoke_by_token: a client gives back what it was given (RFC 7009): any token of a grant ends the whole grant."""

from typing import NamedTuple

from pendesk.domain import token
from pendesk.domain.errors import OAuthRefused
from pendesk.operations.oauth.issue import revoke_grant_if_not_revoked
from pendesk.operations.operation import Answer, Installation, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import grants


class RevokeByToken(NamedTuple):
    token: str
    client_id: str


def check(_installation: Installation, args: RevokeByToken) -> Answer[None] | None:
    return None if token.has_token_format(args.token, token.ACCESS_PREFIX, token.REFRESH_PREFIX) else Answer(None)


def find(call: PrivilegedCall, args: RevokeByToken) -> Match[str] | Answer[None]:
    token_hash = token.hash_secret(args.token)
    refresh = grants.refresh_token_by_hash(call.tx, token_hash)
    if refresh is not None:
        return Match(refresh.workspace_id, refresh.grant_id)
    access = grants.workspace_and_grant_ids(call.tx, token_hash)
    return Match(*access) if access is not None else Answer(None)


def run(call: PrivilegedCall, args: RevokeByToken, grant_id: str) -> None:
    grant = grants.by_id(call.tx, grant_id)
    if grant is not None and args.client_id and grant.client_id != args.client_id:
        raise OAuthRefused("invalid_client", "This token was given to another client. Leave client_id out.")
    revoke_grant_if_not_revoked(call, grant_id, "the client signed out")


OPERATION = SecretOperation(
    name="revoke_by_token",
    title="Revoke by token",
    description="Who holds a token may end its grant. An unknown one is no error: what was wanted holds already.",
    input=RevokeByToken,
    output=None,
    kind=Kind.WRITE,
    check=check,
    find=find,
    verify=None,
    run=run,
)
