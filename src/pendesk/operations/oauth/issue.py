"""Grants and the tokens they give: how one begins, goes on and ends."""

import secrets
from typing import NamedTuple

from pendesk.clock import MICROSECONDS
from pendesk.domain import limits, token
from pendesk.domain.access import TOKEN_SCOPES, Actor, Role
from pendesk.domain.errors import OAuthRefused
from pendesk.domain.event import Event
from pendesk.domain.event_data import GrantCreatedData, GrantRevokedData
from pendesk.domain.oauth import Grant, RefreshToken
from pendesk.domain.people import Token
from pendesk.domain.token_life import expiry_capped_by_grant_end, grant_ends_at
from pendesk.ids import new_id
from pendesk.operations.operation import Call, PrivilegedCall
from pendesk.store import grants, people, tokens
from pendesk.store.engine.tx import Tx


class IssuedTokens(NamedTuple):
    access_token: str
    refresh_token: str
    scopes: str
    expires_in_s: int


def invalid_grant_error() -> OAuthRefused:
    """One answer for unknown, used, expired, revoked and another's: who guesses learns nothing."""
    return OAuthRefused("invalid_grant", "This is unknown, expired, used or not for you. Start the sign-in again.")


def unknown_grant_error() -> OAuthRefused:
    """The same answer; only the limit by address counts it: who has a code or token that was good guesses nothing."""
    refusal = invalid_grant_error()
    refusal.details["unknown"] = True
    return refusal


def try_act_as_member(call: PrivilegedCall, user_id: str) -> bool:
    """From here on the call is of whoever gave the grant. False where they are no longer a member."""
    account = people.account(call.tx, user_id)
    if account is None:
        return False
    role = Role.from_label(account.role)
    call.act_as(Actor(call.tx.workspace, user_id, account.name, role, TOKEN_SCOPES, "web"))
    return True


def create_grant_and_tokens(
    call: Call, *, client_id: str, client_name: str, scopes: str, resource: str
) -> tuple[Grant, IssuedTokens]:
    grant = Grant(
        id=new_id(),
        user_id=call.actor.user_id,
        client_id=client_id,
        client_name=client_name,
        scopes=scopes,
        resource=resource,
        created_at=call.now,
        refreshed_at=call.now,
        expires_at=0,
        revoked_at=None,
        ends_at=grant_ends_at(call.now, call.limits.token_max_days),
    )
    grant = grant._replace(expires_at=expiry_capped_by_grant_end(grant, call.now, limits.REFRESH_TOKEN_US))
    grants.add(call.tx, grant)
    data = GrantCreatedData(client=grant.client_name, user=grant.user_id, scopes=grant.scopes)
    call.record(Event("grant.created", grant.id, data=data, about_user_id=grant.user_id))
    return grant, issue_tokens(call.tx, grant, scopes)


def issue_tokens(tx: Tx, grant: Grant, scopes: str) -> IssuedTokens:
    """A new pair of tokens. Only their hashes are kept."""
    access = token.make_token(secrets.token_bytes(token.RANDOM_BYTES), token.ACCESS_PREFIX)
    refresh = token.make_token(secrets.token_bytes(token.RANDOM_BYTES), token.REFRESH_PREFIX)
    access_until = expiry_capped_by_grant_end(grant, tx.now, limits.ACCESS_TOKEN_US)
    tokens.add(
        tx,
        Token(
            id=new_id(),
            user_id=grant.user_id,
            name=grant.client_name,
            hash=token.hash_secret(access),
            scopes=scopes,
            created_by=grant.user_id,
            owner_id=grant.user_id,
            created_at=tx.now,
            expires_at=access_until,
            last_used_at=None,
            revoked_at=None,
            grant_id=grant.id,
        ),
    )
    expires_at = expiry_capped_by_grant_end(grant, tx.now, limits.REFRESH_TOKEN_US)
    grants.add_refresh_token(tx, RefreshToken(token.hash_secret(refresh), tx.workspace, grant.id, expires_at, None))
    return IssuedTokens(access, refresh, scopes, (access_until - tx.now) // MICROSECONDS)


def revoke_grant_if_not_revoked(call: PrivilegedCall, grant_id: str, reason: str) -> None:
    """Its tokens are refused from their next use on. Ending it again changes nothing."""
    grants.lock_out(call.tx, grant_id)
    grant = grants.by_id(call.tx, grant_id)
    if grant is None or grant.revoked_at is not None:
        return
    grants.revoke(call.tx, grant_id)
    if try_act_as_member(call, grant.user_id):
        record_grant_revoked(call, grant, reason)


def record_grant_revoked(call: Call, grant: Grant, reason: str) -> None:
    data = GrantRevokedData(client=grant.client_name, user=grant.user_id, scopes=grant.scopes, reason=reason)
    call.record(Event("grant.revoked", grant.id, data=data, about_user_id=grant.user_id))
