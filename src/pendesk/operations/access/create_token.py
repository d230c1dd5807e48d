"""create_token: a secret that lets an agent in, shown once."""

import secrets
from typing import Annotated

from msgspec import Meta

from pendesk.domain import limits, token
from pendesk.domain.access import DEFAULT_TOOL_SET, TOOL_SETS, Actor, Role, Scope, ToolSetName, join_scopes
from pendesk.domain.errors import BadField, RoleForbids
from pendesk.domain.event import Event
from pendesk.domain.event_data import TokenCreatedData
from pendesk.domain.people import Account, Token
from pendesk.domain.token_life import validate_or_default_lifetime_days
from pendesk.ids import new_id
from pendesk.operations.access.accounts import (
    TokenScope,
    UserPid,
    find_account_defaulting_to_caller,
    lock_caller_member,
)
from pendesk.operations.fields import Name
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.store import tokens

TOOLS_TEXT = "What it is for: " + "; ".join(f"{name}, {tool_set.purpose}" for name, tool_set in TOOL_SETS.items()) + "."


class CreateToken(Input):
    """There is no idempotency_key here: a remembered answer would keep the secret."""

    name: Annotated[Name, Meta(description="What it is for, e.g. Claude Code on my laptop.")]
    tools: Annotated[ToolSetName, Meta(description=TOOLS_TEXT)] | None = None
    scopes: Annotated[list[TokenScope], Meta(min_length=1, max_length=5, description="Instead of tools.")] | None = None
    expires_in_days: Annotated[int, Meta(ge=1, le=limits.TOKEN_DAYS)] | None = None
    user_pid: UserPid | None = None


class TokenCreated(Output):
    token: str
    token_id: str
    name: str
    user_id: str
    scopes: list[str]
    expires_at: str | None = None


def run(call: Call, args: CreateToken) -> TokenCreated:
    actor = call.actor._replace(role=Role.from_label(lock_caller_member(call).role))
    account = find_account_defaulting_to_caller(call, args.user_pid)
    _check_may_create_token_for(actor, account)
    secret = token.make_token(secrets.token_bytes(token.RANDOM_BYTES))
    days = validate_or_default_lifetime_days(args.expires_in_days, call.limits.token_max_days)
    new_token = Token(
        id=new_id(),
        user_id=account.user_id,
        name=args.name,
        hash=token.hash_secret(secret),
        scopes=_chosen_scopes(args),
        created_by=actor.user_id,
        owner_id=actor.user_id,
        created_at=call.now,
        expires_at=call.now + days * limits.DAY_US if days else None,
        last_used_at=None,
        revoked_at=None,
    )
    tokens.add(call.tx, new_token)
    data = TokenCreatedData(
        name=new_token.name,
        user=new_token.user_id,
        scopes=new_token.scopes,
        expires_at=to_iso_or_none(new_token.expires_at),
    )
    call.record(Event("token.created", new_token.id, data=data, about_user_id=new_token.user_id))
    return TokenCreated(
        token=secret,
        token_id=new_token.id,
        name=new_token.name,
        user_id=new_token.user_id,
        scopes=new_token.scopes.split(),
        expires_at=to_iso_or_none(new_token.expires_at),
    )


def _chosen_scopes(args: CreateToken) -> str:
    if args.scopes is None:
        return TOOL_SETS[args.tools or DEFAULT_TOOL_SET].scope_text
    if args.tools is not None:
        raise BadField("scopes", "Choose tools or exact scopes, not both.")
    return join_scopes(args.scopes)


def _check_may_create_token_for(actor: Actor, account: Account) -> None:
    """Everyone for themselves, admins for agents' accounts, owners for all: work is done in the account's name."""
    for_agent = account.kind == "agent" and actor.role >= Role.ADMIN and Role.from_label(account.role) <= actor.role
    if actor.user_id != account.user_id and not for_agent and actor.role is not Role.OWNER:
        raise RoleForbids(
            f"You cannot make a token that speaks for {account.name}. Make one for yourself, or ask an owner.",
            role=actor.role.label,
        )


OPERATION = Operation(
    name="create_token",
    title="Create a token",
    description=(
        "A personal token for an agent or a script, with the tools or the scopes you choose. The token is "
        "shown in this answer and never again. Where the server bounds the life of tokens, one without an expiry gets "
        "the longest. Refused: 403 a token for someone else, 404 no such member, 422 a longer life than allowed."
    ),
    input=CreateToken,
    output=TokenCreated,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
