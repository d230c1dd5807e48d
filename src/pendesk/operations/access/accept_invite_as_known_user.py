"""accept_invite_as_known_user: who is signed in joins one more workspace; their session goes on."""

from typing import NamedTuple

from pendesk.domain.errors import RuleBroken
from pendesk.operations.access.find_invite import accept_invite, find_and_lock_pending_invite, find_pending_invite
from pendesk.operations.operation import Answer, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import people


class AcceptInviteAsKnownUser(NamedTuple):
    code: str
    user_id: str


def find(call: PrivilegedCall, args: AcceptInviteAsKnownUser) -> Match[None] | Answer[bool]:
    waiting = find_pending_invite(call.tx, args.code)
    return Match(waiting.workspace_id, None) if waiting else Answer(False)


def run(call: PrivilegedCall, args: AcceptInviteAsKnownUser, _match: None) -> bool:
    waiting, user = find_and_lock_pending_invite(call.tx, args.code), people.user(call.tx, args.user_id)
    if waiting is None or user is None:
        return False
    if waiting.invite.email != user.email:
        raise RuleBroken("This invite is for another email address. Sign in with that one.", code="not_for_you")
    if people.member(call.tx, user.id) is not None:
        raise RuleBroken("You are a member of this workspace already.", code="already_member")
    accept_invite(call, waiting, user)
    return True


OPERATION = SecretOperation(
    name="accept_invite_as_known_user",
    title="Accept an invite with an account",
    description="Whether they joined: False where the invite is no longer good.",
    input=AcceptInviteAsKnownUser,
    output=bool,
    kind=Kind.WRITE,
    check=None,
    find=find,
    verify=None,
    run=run,
)
