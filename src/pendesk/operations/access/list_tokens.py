"""list_tokens: which tokens there are; never their secrets."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.domain.membership import check_may_manage_account
from pendesk.domain.people import Token
from pendesk.operations.access.accounts import UserPid, find_account_defaulting_to_caller
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.operations.paging import PageCursor, page_and_next_cursor, parse_cursor_after_id
from pendesk.store import tokens
from pendesk.store.tokens import TokenPeopleNames


class ListTokens(Input):
    user_pid: UserPid | None = None
    cursor: PageCursor | None = None
    everyone: Annotated[bool, Meta(description="Tokens of all members; for admins.")] = False


class TokenView(Output):
    """user: whom it speaks for. owner: who answers for it, and with whom it ends. created_by: who saw the secret."""

    token_id: str
    name: str
    user_id: str
    user_name: str
    owner_id: str
    owner_name: str
    created_by: str
    created_by_name: str
    scopes: list[str]
    state: str
    created_at: str
    expires_at: str | None = None
    last_used_at: str | None = None
    revoked_at: str | None = None


class TokenList(Output):
    tokens: list[TokenView]
    next_cursor: str | None = None


def run(call: Call, args: ListTokens) -> TokenList:
    rows = tokens.page(call.tx, _user_id_filter(call, args), parse_cursor_after_id(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = page_and_next_cursor(rows, PAGE_ROWS, lambda row: row[0].id)
    return TokenList(tokens=[token_view(call, token, names) for token, names in page], next_cursor=next_cursor)


def _user_id_filter(call: Call, args: ListTokens) -> str | None:
    """Whose tokens are meant; None for everyone's."""
    if args.everyone and call.actor.role >= Role.ADMIN:
        return None
    account = find_account_defaulting_to_caller(call, args.user_pid)
    check_may_manage_account(call.actor, account)
    return account.user_id


def token_view(call: Call, token: Token, names: TokenPeopleNames) -> TokenView:
    return TokenView(
        token_id=token.id,
        name=token.name,
        user_id=token.user_id,
        user_name=names.user,
        owner_id=token.owner_id,
        owner_name=names.owner,
        created_by=token.created_by,
        created_by_name=names.created_by,
        scopes=token.scopes.split(),
        state=_token_state(token, call.now),
        created_at=to_iso_or_none(token.created_at) or "",
        expires_at=to_iso_or_none(token.expires_at),
        last_used_at=to_iso_or_none(token.last_used_at),
        revoked_at=to_iso_or_none(token.revoked_at),
    )


def _token_state(token: Token, now: int) -> str:
    # One that is used after its time is revoked then, so that it stays dead; it still reads as expired.
    if token.expires_at is not None and token.expires_at <= (token.revoked_at or now):
        return "expired"
    return "active" if token.revoked_at is None else "revoked"


OPERATION = Operation(
    name="list_tokens",
    title="List tokens",
    description="Your tokens with scopes, expiry and last use; an admin may list everyone's. Secrets are never shown.",
    input=ListTokens,
    output=TokenList,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
