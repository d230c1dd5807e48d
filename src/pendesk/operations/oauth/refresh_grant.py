"""refresh_grant: a refresh token becomes a new pair of tokens, once. Used twice, it ends the whole grant."""

from typing import NamedTuple

from pendesk.domain import limits, token
from pendesk.domain.errors import OAuthRefused
from pendesk.domain.oauth import Grant, RefreshToken, check_scopes_granted, normalize_scopes
from pendesk.domain.token_life import expiry_capped_by_grant_end
from pendesk.operations.oauth.issue import (
    IssuedTokens,
    invalid_grant_error,
    issue_tokens,
    revoke_grant_if_not_revoked,
    try_act_as_member,
    unknown_grant_error,
)
from pendesk.operations.operation import Installation, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import grants, people
from pendesk.store.engine.tx import Tx


class RefreshGrant(NamedTuple):
    refresh_token: str
    client_id: str
    scopes: str
    resource: str


def check(_installation: Installation, args: RefreshGrant) -> None:
    if not token.has_token_format(args.refresh_token, token.REFRESH_PREFIX):
        raise unknown_grant_error()


def find(call: PrivilegedCall, args: RefreshGrant) -> Match[RefreshToken]:
    refresh_token = grants.refresh_token_by_hash(call.tx, token.hash_secret(args.refresh_token))
    if refresh_token is None:
        raise unknown_grant_error()
    return Match(refresh_token.workspace_id, refresh_token)


def run(call: PrivilegedCall, args: RefreshGrant, match: RefreshToken) -> IssuedTokens | OAuthRefused:
    grant = _lock_member_and_grant(call.tx, match.grant_id)
    refresh_token = grants.refresh_token_by_hash(call.tx, match.hash)
    return (
        _exchange_refresh_token(call, args, grant, refresh_token) if grant and refresh_token else invalid_grant_error()
    )


def _lock_member_and_grant(tx: Tx, grant_id: str) -> Grant | None:
    """The member before the grant, as everywhere: who is being removed gets nothing any more."""
    grant = grants.by_id(tx, grant_id)
    if grant is None:
        return None
    people.lock_member(tx, grant.user_id)
    grants.lock(tx, grant_id)
    return grants.by_id(tx, grant_id)


def _exchange_refresh_token(
    call: PrivilegedCall, args: RefreshGrant, grant: Grant, refresh_token: RefreshToken
) -> IssuedTokens | OAuthRefused:
    """A refusal is returned, not raised: that the grant has ended must be saved."""
    if grant.revoked_at is not None or not try_act_as_member(call, grant.user_id):
        return invalid_grant_error()
    if refresh_token.used_at is not None:
        # The client and a thief both have it. No grace for a repeated request: a thief would have the same one.
        revoke_grant_if_not_revoked(call, grant.id, "a refresh token was used again")
        return invalid_grant_error()
    if refresh_token.expires_at <= call.now:
        over = grant.ends_at is not None and grant.ends_at <= call.now
        revoke_grant_if_not_revoked(
            call, grant.id, "its longest life was over" if over else "it was not used for too long"
        )
        return invalid_grant_error()
    if (grant.client_id, grant.resource) != (args.client_id, args.resource):
        return invalid_grant_error()
    scopes = normalize_scopes(args.scopes, grant.scopes)
    check_scopes_granted(scopes, grant.scopes)
    grants.mark_refresh_token_used(call.tx, refresh_token.hash)
    grants.record_refresh(call.tx, grant.id, expiry_capped_by_grant_end(grant, call.now, limits.REFRESH_TOKEN_US))
    return issue_tokens(call.tx, grant, scopes)


OPERATION = SecretOperation(
    name="refresh_grant",
    title="Refresh a grant",
    description="A new pair of tokens; refused where the refresh token is unknown, used, expired or another's.",
    input=RefreshGrant,
    output=IssuedTokens,
    kind=Kind.WRITE,
    check=check,
    find=find,
    verify=None,
    run=run,
)
