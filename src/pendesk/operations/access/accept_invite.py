"""How an invite becomes a membership. Not an operation: before it there is nobody to admit at the dispatcher."""

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta

from pendesk.domain import limits, token
from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.people import Member, User
from pendesk.ids import new_id
from pendesk.operations.access.password_session import CHECKERS
from pendesk.operations.access.set_password import HASHER
from pendesk.operations.access.start_session import begin_session
from pendesk.operations.decode_input import read_input
from pendesk.operations.dispatch import Store
from pendesk.operations.fields import Name
from pendesk.operations.operation import Call, Input, Installation, encode_json
from pendesk.store import invites, people
from pendesk.store.engine.tx import Tx
from pendesk.store.invites import Waiting


class Joining(Input):
    """What somebody who is new tells about themselves."""

    name: Name
    password: Annotated[str, Meta(min_length=limits.PASSWORD_MIN_CHARS, max_length=limits.PASSWORD_MAX_CHARS)]


_DECODER = msgspec.json.Decoder(Joining)


async def find_invite(store: Store, code: str) -> Waiting | None:
    """The invite behind a link's code, while it can be accepted."""
    return await store.read("", lambda tx: _find(tx, token.digest(code)))


def _find(tx: Tx, invite_hash: str) -> Waiting | None:
    found = invites.waiting(tx, invite_hash)
    if found is None:
        return None
    # What the inviter may not give any more, their invite does not give either.
    may_give = max(Role.ADMIN, Role.from_word(found.invite.role))
    return found if Role.from_word(found.inviter_role) >= may_give else None


async def join_as_new(
    store: Store, installation: Installation, code: str, told: dict[str, str], browser: str = ""
) -> str | None:
    """A new account and its first session, whose secret is given back; None where the invite is no longer good."""
    found = await find_invite(store, code)
    if found is None:
        return None
    joining: Joining = read_input(_DECODER, encode_json(told))
    hashed = await asyncio.get_running_loop().run_in_executor(CHECKERS, HASHER.hash, joining.password)

    def work(tx: Tx) -> str | None:
        invites.lock(tx, found.invite.hash)
        still = _find(tx, found.invite.hash)
        if still is None:
            return None
        user = people.user_by_email(tx, still.invite.email)
        if user is not None:
            _check_came_back(tx, user)
            people.set_password(tx, user.id, hashed)
            return begin_session(_join(tx, installation, still, user), "invite", browser)
        user = User(new_id(), "person", still.invite.email, joining.name, hashed, tx.now)
        people.add_user(tx, user)
        call = _join(tx, installation, still, user)
        call.record(Event("user.created", user.id, data={"name": user.name, "kind": user.kind}))
        return begin_session(call, "invite", browser)

    return await store.write(found.workspace_id, work)


def _check_came_back(tx: Tx, user: User) -> None:
    """Whoever has an account proves it: an invite must not set a password that opens another workspace.

    One who was removed from their only workspace, this one, cannot sign in to prove anything; they may begin anew.
    """
    gone = people.was_member(tx, user.id) and people.member(tx, user.id) is None
    if not gone or people.is_elsewhere(tx, user.id):
        raise RuleBroken(
            f"{user.email} has an account here. Sign in with it, then open this invite again.", code="account_exists"
        )


async def join_as_known(store: Store, installation: Installation, code: str, user_id: str) -> bool:
    """Who is signed in already keeps their account; their session goes on."""
    found = await find_invite(store, code)
    if found is None:
        return False

    def work(tx: Tx) -> bool:
        invites.lock(tx, found.invite.hash)
        still, user = _find(tx, found.invite.hash), people.user(tx, user_id)
        if still is None or user is None:
            return False
        if still.invite.email != user.email:
            raise RuleBroken("This invite is for another email address. Sign in with that one.", code="not_for_you")
        if people.member(tx, user.id) is not None:
            raise RuleBroken("You are a member of this workspace already.", code="already_member")
        _join(tx, installation, still, user)
        return True

    return await store.write(found.workspace_id, work)


def _join(tx: Tx, installation: Installation, found: Waiting, user: User) -> Call:
    role = Role.from_word(found.invite.role)
    invites.use(tx, found.invite.id)
    people.add_or_return_member(tx, Member(user.id, role.word, tx.now, None))
    call = Call(tx, Actor(tx.workspace, user.id, user.name, role, ALL_SCOPES, "web"), installation)
    told = {"name": user.name, "kind": user.kind, "role": role.word, "invite": found.invite.id}
    call.record(Event("member.added", user.id, data=told))
    return call
