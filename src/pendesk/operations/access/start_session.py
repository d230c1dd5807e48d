"""start_session: a one-time link becomes a session, once."""

from typing import NamedTuple

from pendesk.domain import token
from pendesk.operations.access.sessions import actor_of_signed_in_member, begin_session_and_get_secret
from pendesk.operations.operation import Answer, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import sign_in


class StartSession(NamedTuple):
    code: str
    browser: str = ""


def find(call: PrivilegedCall, args: StartSession) -> Match[None] | Answer[None]:
    link = sign_in.member_for_usable_link(call.tx, token.hash_secret(args.code))
    return Match(link.workspace_id, None) if link else Answer(None)


def run(call: PrivilegedCall, args: StartSession, _match: None) -> str | None:
    signed_in = sign_in.consume_sign_in_link(call.tx, token.hash_secret(args.code))
    if signed_in is None:  # another request was faster
        return None
    call.act_as(actor_of_signed_in_member(signed_in))
    return begin_session_and_get_secret(call, "link", args.browser)


OPERATION = SecretOperation(
    name="start_session",
    title="Sign in with a link",
    description="The new session's secret, or None where the link is unknown, used or too old.",
    input=StartSession,
    output=str | None,
    kind=Kind.WRITE,
    check=None,
    find=find,
    verify=None,
    run=run,
)
