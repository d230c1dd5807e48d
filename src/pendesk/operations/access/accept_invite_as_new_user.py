"""accept_invite_as_new_user: an invite becomes an account, a membership and the first session."""

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import UserCreatedData
from pendesk.domain.people import User
from pendesk.ids import new_id
from pendesk.operations.access.find_invite import accept_invite, find_and_lock_pending_invite, find_pending_invite
from pendesk.operations.access.password_hashing import hash_password
from pendesk.operations.access.sessions import begin_session_and_get_secret
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
from pendesk.store import people
from pendesk.store.engine.tx import Tx


class AcceptInviteAsNewUser(NamedTuple):
    code: str
    name: str
    password: str
    browser: str = ""


class NewUser(Input):
    name: Name
    password: Annotated[str, Meta(min_length=limits.PASSWORD_MIN_CHARS, max_length=limits.PASSWORD_MAX_CHARS)]


_DECODER = msgspec.json.Decoder(NewUser)


def find(call: PrivilegedCall, args: AcceptInviteAsNewUser) -> Match[str] | Answer[None]:
    waiting = find_pending_invite(call.tx, args.code)
    return Match(waiting.workspace_id, "") if waiting else Answer(None)


async def verify(_installation: Installation, args: AcceptInviteAsNewUser, match: Match[str]) -> Match[str]:
    """With the hash of the password."""
    user: NewUser = decode_input(_DECODER, encode_json({"name": args.name, "password": args.password}))
    return Match(match.workspace_id, await hash_password(user.password))


def run(call: PrivilegedCall, args: AcceptInviteAsNewUser, password_hash: str) -> str | None:
    waiting = find_and_lock_pending_invite(call.tx, args.code)
    if waiting is None:
        return None
    user = people.user_by_email(call.tx, waiting.invite.email)
    if user is not None:
        _check_was_removed_from_only_workspace(call.tx, user)
        people.set_password(call.tx, user.id, password_hash)
        accept_invite(call, waiting, user)
    else:
        user = User(new_id(), "person", waiting.invite.email, args.name, password_hash, call.now)
        people.add_user(call.tx, user)
        accept_invite(call, waiting, user)
        call.record(Event("user.created", user.id, data=UserCreatedData(kind=user.kind)))
    return begin_session_and_get_secret(call, "invite", args.browser)


def _check_was_removed_from_only_workspace(tx: Tx, user: User) -> None:
    """Whoever has an account proves it: an invite must not set a password that opens another workspace.

    One who was removed from their only workspace, this one, cannot sign in to prove anything; they may begin anew.
    """
    removed = people.is_or_was_member(tx, user.id) and people.member(tx, user.id) is None
    if not removed or people.is_or_was_in_other_workspace(tx, user.id):
        raise RuleBroken(
            f"{user.email} has an account here. Sign in with it, then open this invite again.", code="account_exists"
        )


OPERATION = SecretOperation(
    name="accept_invite_as_new_user",
    title="Accept an invite with a new account",
    description="The first session's secret, or None where the invite is no longer good.",
    input=AcceptInviteAsNewUser,
    output=str | None,
    kind=Kind.WRITE,
    check=None,
    find=find,
    verify=verify,
    run=run,
)
