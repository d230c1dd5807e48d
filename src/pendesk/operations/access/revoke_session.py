"""revoke_session: sign one of your browsers out, from its next request on."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.event import Event
from pendesk.ids import parse_id
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import sign_in


class RevokeSession(Input):
    session_id: Annotated[Ident, Meta(description="The session's id from list_sessions.")]


class SessionRevoked(Output):
    session_id: str
    revoked: bool


def run(call: Call, args: RevokeSession) -> SessionRevoked:
    pid = parse_id(args.session_id)
    if pid is None or not sign_in.end_session_by_id(call.tx, call.actor.user_id, pid):
        raise NotFound("session", args.session_id)
    call.record(Event("session.ended", call.actor.user_id, data={"session": pid}, about_user_id=call.actor.user_id))
    return SessionRevoked(session_id=pid, revoked=True)


OPERATION = Operation(
    name="revoke_session",
    title="Revoke a session",
    description=(
        "Sign one of your browsers out at once. Only your own: who is to lose every access is removed with "
        "remove_member. Refused: 404 no such session of yours."
    ),
    input=RevokeSession,
    output=SessionRevoked,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.WRITE,
    run=run,
)
