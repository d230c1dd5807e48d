"""An authorization code becomes a grant, once."""

from typing import NamedTuple

from pendesk.domain import token
from pendesk.domain.errors import OAuthRefused
from pendesk.domain.oauth import Code, is_proven
from pendesk.operations.dispatch import Store
from pendesk.operations.oauth.issue import Issued, acting, begin_grant, end_grant, invalid_grant
from pendesk.operations.operation import Installation
from pendesk.store import codes, people
from pendesk.store.engine.tx import Tx


class Redemption(NamedTuple):
    code: str
    client_id: str
    redirect_uri: str
    verifier: str
    resource: str


async def redeem_code(store: Store, installation: Installation, args: Redemption) -> Issued:
    code_hash = token.digest(args.code)
    found = None
    if token.is_token(args.code, token.CODE_PREFIX):
        found = await store.read("", lambda tx: codes.by_hash(tx, code_hash))
    if found is None:
        raise invalid_grant()

    def work(tx: Tx) -> Issued | OAuthRefused:
        people.lock_member(tx, found.user_id)  # who is being removed gets nothing any more
        codes.lock(tx, code_hash)
        code = codes.by_hash(tx, code_hash)
        return _redeem(tx, installation, code, args) if code else invalid_grant()

    answer = await store.write(found.workspace_id, work)
    if isinstance(answer, OAuthRefused):
        raise answer
    return answer


def _redeem(tx: Tx, installation: Installation, code: Code, args: Redemption) -> Issued | OAuthRefused:
    """A refusal is given back, not raised: that the code is spent must be saved."""
    if code.used_at is not None:
        # Two have it, and one of them stole it; which one cannot be known.
        if code.grant_id is not None:
            end_grant(tx, installation, code.grant_id, "its code was used again")
        return invalid_grant()
    codes.use(tx, code.hash)  # whatever comes of it: a thief has one try, and the verifier is not it
    call = acting(tx, installation, code.user_id)
    if call is None or code.expires_at <= tx.now or not _fits(code, args):
        return invalid_grant()
    grant, issued = begin_grant(
        call, client_id=code.client_id, client_name=code.client_name, scopes=code.scopes, resource=code.resource
    )
    codes.save_given(tx, code.hash, grant.id)
    return issued


def _fits(code: Code, args: Redemption) -> bool:
    same = (code.client_id, code.redirect_uri, code.resource) == (args.client_id, args.redirect_uri, args.resource)
    return same and is_proven(args.verifier, code.challenge)
