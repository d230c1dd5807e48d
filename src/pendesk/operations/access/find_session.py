"""find_session: the person behind a session's cookie, while the session lasts and they are a member."""

from pendesk.domain import token
from pendesk.domain.access import Actor
from pendesk.operations.access.sessions import session_actor
from pendesk.operations.operation import Answer, Kind, PrivilegedCall, SecretOperation
from pendesk.store import sign_in


def find(call: PrivilegedCall, secret: str) -> Answer[Actor | None]:
    session = sign_in.user_of_session(call.tx, token.digest(secret))
    return Answer(session_actor(session) if session else None)


OPERATION: SecretOperation[str, None, Actor | None] = SecretOperation(
    name="find_session",
    title="Find a session",
    description="The actor that a session's secret speaks for, or None.",
    input=str,
    output=Actor | None,
    kind=Kind.READ,
    check=None,
    find=find,
    verify=None,
    run=None,
)
