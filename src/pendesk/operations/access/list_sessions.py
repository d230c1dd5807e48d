"""list_sessions: in which browsers a person is signed in."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import people, sign_in


class ListSessions(Input):
    pass


class SessionView(Output):
    session_id: str
    began_by: str
    browser: str
    created_at: str
    expires_at: str
    current: bool


class SessionList(Output):
    """email: what you sign in with beside your password."""

    email: str | None
    sessions: list[SessionView]


def run(call: Call, args: ListSessions) -> SessionList:
    sessions = sign_in.live_sessions(call.tx, call.actor.user_id, PAGE_ROWS)
    account = people.account(call.tx, call.actor.user_id)
    return SessionList(
        email=account.email if account else None,
        sessions=[
            SessionView(
                session_id=session.id,
                began_by=session.began_by,
                browser=session.browser,
                created_at=to_iso(session.created_at),
                expires_at=to_iso(session.expires_at),
                current=session.id == call.actor.session_id,
            )
            for session in sessions
        ],
    )


OPERATION = Operation(
    name="list_sessions",
    title="List sessions",
    description=(
        "The browsers in which you are signed in, the newest first, and which of them is this one; and your email. "
        "End one with revoke_session."
    ),
    input=ListSessions,
    output=SessionList,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
