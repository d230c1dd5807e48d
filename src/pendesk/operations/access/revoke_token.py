"""revoke_token: shut a token out, from its next request on."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.event import Event
from pendesk.domain.event_data import TokenRevokedData
from pendesk.domain.people import Token
from pendesk.ids import parse_id
from pendesk.operations.access.list_tokens import TokenView, token_view
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import people, tokens
from pendesk.store.tokens import TokenPeopleNames


class RevokeToken(Input):
    token_id: Annotated[Ident, Meta(description="The token's id from list_tokens.")]


def run(call: Call, args: RevokeToken) -> TokenView:
    pid = parse_id(args.token_id)
    token = tokens.by_id(call.tx, pid) if pid else None
    if token is None or (token.user_id != call.actor.user_id and call.actor.role < Role.ADMIN):
        raise NotFound("token", args.token_id)
    token = revoke(call, token)
    names = people.names_by_user_id(call.tx, [token.user_id, token.owner_id, token.created_by])
    return token_view(
        call, token, TokenPeopleNames(names[token.user_id], names[token.owner_id], names[token.created_by])
    )


def revoke(call: Call, token: Token) -> Token:
    tokens.lock_out(call.tx, token.id)
    token = tokens.by_id(call.tx, token.id) or token
    if token.revoked_at is not None:
        return token
    tokens.revoke(call.tx, token.id)
    data = TokenRevokedData(name=token.name, user=token.user_id)
    call.record(Event("token.revoked", token.id, data=data, about_user_id=token.user_id))
    return token._replace(revoked_at=call.now)


OPERATION = Operation(
    name="revoke_token",
    title="Revoke a token",
    description=(
        "Shut a token out at once: its next request is refused with 401. Revoking it again changes nothing. "
        "Admins may revoke any token. Refused: 404 no such token of yours."
    ),
    input=RevokeToken,
    output=TokenView,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
