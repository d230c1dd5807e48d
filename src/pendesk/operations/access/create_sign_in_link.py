"""create_sign_in_link: a link that signs one person in, once."""

import secrets

from pendesk.clock import to_iso
from pendesk.domain import limits, token
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.membership import check_may_manage_account
from pendesk.operations.access.accounts import UserPid, find_account_defaulting_to_caller, lock_caller_member
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import sign_in


class CreateSignInLink(Input):
    """There is no idempotency_key here: a remembered answer would keep the secret."""

    user_pid: UserPid | None = None


class SignInLink(Output):
    url: str
    user_id: str
    expires_at: str


def run(call: Call, args: CreateSignInLink) -> SignInLink:
    actor = call.actor._replace(role=Role.from_label(lock_caller_member(call).role))
    account = find_account_defaulting_to_caller(call, args.user_pid)
    check_may_manage_account(actor, account)
    if account.kind == "agent":
        raise RuleBroken(f"{account.name} is an agent's account: make a token for it instead.", code="agent_account")
    code = token.make_link_or_cookie_secret(secrets.token_bytes(token.RANDOM_BYTES))
    expires_at = call.now + limits.SIGN_IN_LINK_US
    sign_in.add_link(call.tx, token.hash_secret(code), account.user_id, call.actor.user_id, expires_at)
    call.record(Event("sign_in_link.created", account.user_id, about_user_id=account.user_id))
    return SignInLink(
        url=f"{call.installation.public_url}/sign-in?code={code}",
        user_id=account.user_id,
        expires_at=to_iso(expires_at),
    )


OPERATION = Operation(
    name="create_sign_in_link",
    title="Create a sign-in link",
    description=(
        "A link that signs a member into the web app once, within 15 minutes. Give it to nobody else. "
        "Refused: 403 a member of your rank or above, 422 an agent's account."
    ),
    input=CreateSignInLink,
    output=SignInLink,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
