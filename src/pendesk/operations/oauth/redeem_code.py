"""redeem_code: an authorization code becomes a grant, once."""

from typing import NamedTuple

from pendesk.domain import token
from pendesk.domain.errors import OAuthRefused
from pendesk.domain.oauth import AuthorizationCode, matches_pkce_challenge
from pendesk.operations.oauth.issue import (
    IssuedTokens,
    create_grant_and_tokens,
    invalid_grant_error,
    revoke_grant_if_not_revoked,
    try_act_as_member,
    unknown_grant_error,
)
from pendesk.operations.operation import Installation, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import codes, people


class RedeemCode(NamedTuple):
    code: str
    client_id: str
    redirect_uri: str
    verifier: str
    resource: str


def check(_installation: Installation, args: RedeemCode) -> None:
    if not token.has_token_format(args.code, token.CODE_PREFIX):
        raise unknown_grant_error()


def find(call: PrivilegedCall, args: RedeemCode) -> Match[AuthorizationCode]:
    code = codes.by_hash(call.tx, token.hash_secret(args.code))
    if code is None:
        raise unknown_grant_error()
    return Match(code.workspace_id, code)


def run(call: PrivilegedCall, args: RedeemCode, match: AuthorizationCode) -> IssuedTokens | OAuthRefused:
    """A refusal is returned, not raised: that the code is spent must be saved."""
    people.lock_member(call.tx, match.user_id)  # who is being removed gets nothing any more
    codes.lock(call.tx, match.hash)
    code = codes.by_hash(call.tx, match.hash)
    if code is None:
        return invalid_grant_error()
    if code.used_at is not None:
        # Two have it, and one of them stole it; which one cannot be known.
        if code.grant_id is not None:
            revoke_grant_if_not_revoked(call, code.grant_id, "its code was used again")
        return invalid_grant_error()
    codes.mark_used(call.tx, code.hash)  # whatever comes of it: a thief has one try, and the verifier is not it
    if not try_act_as_member(call, code.user_id) or code.expires_at <= call.now or not _matches_request(code, args):
        return invalid_grant_error()
    grant, issued = create_grant_and_tokens(
        call, client_id=code.client_id, client_name=code.client_name, scopes=code.scopes, resource=code.resource
    )
    codes.set_grant_id(call.tx, code.hash, grant.id)
    return issued


def _matches_request(code: AuthorizationCode, args: RedeemCode) -> bool:
    same = (code.client_id, code.redirect_uri, code.resource) == (args.client_id, args.redirect_uri, args.resource)
    return same and matches_pkce_challenge(args.verifier, code.challenge)


OPERATION = SecretOperation(
    name="redeem_code",
    title="Redeem an authorization code",
    description="The tokens of a new grant; refused where the code is unknown, used, too old or not for this client.",
    input=RedeemCode,
    output=IssuedTokens,
    kind=Kind.WRITE,
    check=check,
    find=find,
    verify=None,
    run=run,
)
