"""A refresh token becomes a new pair of tokens, once. Used twice, it ends the whole grant."""

from typing import NamedTuple

from pendesk.domain import limits, token
from pendesk.domain.errors import OAuthRefused
from pendesk.domain.oauth import Grant, RefreshToken, check_narrower, read_scopes
from pendesk.domain.token_life import until
from pendesk.operations.dispatch import Store
from pendesk.operations.oauth.issue import Issued, acting, end_grant, invalid_grant, issue
from pendesk.operations.operation import Installation
from pendesk.store import grants, people
from pendesk.store.engine.tx import Tx


class Refreshing(NamedTuple):
    refresh_token: str
    client_id: str
    scopes: str
    resource: str


async def refresh_grant(store: Store, installation: Installation, args: Refreshing) -> Issued:
    token_hash = token.digest(args.refresh_token)
    found = None
    if token.is_token(args.refresh_token, token.REFRESH_PREFIX):
        found = await store.read("", lambda tx: grants.refresh_token(tx, token_hash))
    if found is None:
        raise invalid_grant()

    def work(tx: Tx) -> Issued | OAuthRefused:
        grant = _locked(tx, found.grant_id)
        sent = grants.refresh_token(tx, token_hash)
        return _refresh(tx, installation, grant, sent, args) if grant and sent else invalid_grant()

    answer = await store.write(found.workspace_id, work)
    if isinstance(answer, OAuthRefused):
        raise answer
    return answer


def _locked(tx: Tx, grant_id: str) -> Grant | None:
    """The member before the grant, as everywhere: who is being removed gets nothing any more."""
    grant = grants.by_id(tx, grant_id)
    if grant is None:
        return None
    people.lock_member(tx, grant.user_id)
    grants.lock(tx, grant_id)
    return grants.by_id(tx, grant_id)


def _refresh(
    tx: Tx, installation: Installation, grant: Grant, sent: RefreshToken, args: Refreshing
) -> Issued | OAuthRefused:
    """A refusal is given back, not raised: that the grant has ended must be saved."""
    if grant.revoked_at is not None or acting(tx, installation, grant.user_id) is None:
        return invalid_grant()
    if sent.used_at is not None:
        # The client and a thief both have it. No grace for a repeated request: a thief would have the same one.
        end_grant(tx, installation, grant.id, "a refresh token was used again")
        return invalid_grant()
    if sent.expires_at <= tx.now:
        over = grant.ends_at is not None and grant.ends_at <= tx.now
        end_grant(tx, installation, grant.id, "its longest life was over" if over else "it was not used for too long")
        return invalid_grant()
    if (grant.client_id, grant.resource) != (args.client_id, args.resource):
        return invalid_grant()
    scopes = read_scopes(args.scopes, grant.scopes)
    check_narrower(scopes, grant.scopes)
    grants.use_refresh(tx, sent.hash)
    grants.save_refreshed(tx, grant.id, until(grant, tx.now, limits.REFRESH_TOKEN_US))
    return issue(tx, grant, scopes)
