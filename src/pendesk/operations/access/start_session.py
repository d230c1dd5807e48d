"""start_session: a one-time link becomes a session, once."""

from typing import NamedTuple

import msgspec

from pendesk.domain import token
from pendesk.domain.event import Event
from pendesk.operations.access.sessions import actor_of_signed_in_member, begin_session_and_get_secret
from pendesk.operations.decode_input import decode_input
from pendesk.operations.fields import Name
from pendesk.operations.operation import (
    Answer,
    Input,
    Installation,
    Kind,
    Match,
    PrivilegedCall,
    SecretOperation,
    encode_json,
)
from pendesk.store import people, sign_in


class StartSession(NamedTuple):
    """`name`: what the first who signs in wants to be called; of others it is not asked."""

    code: str
    browser: str = ""
    name: str = ""


class FirstPerson(Input):
    name: Name


_DECODER = msgspec.json.Decoder(FirstPerson)


def find(call: PrivilegedCall, args: StartSession) -> Match[str | None] | Answer[None]:
    code = token.hash_secret(args.code)
    link = sign_in.member_for_usable_link(call.tx, code)
    if link is None:
        return Answer(None)
    is_first = args.name and sign_in.name_of_first_to_sign_in(call.tx, code) is not None
    return Match(link.workspace_id, args.name if is_first else None)


async def verify(_installation: Installation, _args: StartSession, match: Match[str | None]) -> Match[str | None]:
    """With the name as it is stored."""
    if match.value is None:
        return match
    person: FirstPerson = decode_input(_DECODER, encode_json({"name": match.value}))
    return Match(match.workspace_id, person.name)


def run(call: PrivilegedCall, args: StartSession, name: str | None) -> str | None:
    signed_in = sign_in.consume_sign_in_link(call.tx, token.hash_secret(args.code))
    if signed_in is None:  # another request was faster
        return None
    call.act_as(actor_of_signed_in_member(signed_in))
    if name is not None and name != signed_in.user_name:
        people.rename_user(call.tx, signed_in.user_id, name)
        call.record(Event("member.renamed", signed_in.user_id))
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
    verify=verify,
    run=run,
)
