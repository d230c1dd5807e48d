"""find_session: the person behind a session's cookie, while the session lasts and they are a member."""

from pendesk.domain import token
from pendesk.domain.access import Actor
from pendesk.operations.access.sessions import actor_of_signed_in_member
from pendesk.operations.operation import Answer, Kind, PrivilegedCall, SecretOperation
from pendesk.store import sign_in


def find(call: PrivilegedCall, secret: str) -> Answer[Actor | None]:
    session = sign_in.member_of_session(call.tx, token.hash_secret(secret))
    return Answer(actor_of_signed_in_member(session) if session else None)


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
