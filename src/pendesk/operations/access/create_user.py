"""create_user: a person or an agent's own account becomes a member of the workspace."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain.access import Role, RoleWord, Scope
from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import MemberAddedData, UserCreatedData
from pendesk.domain.membership import check_may_grant_role
from pendesk.domain.people import Member, User
from pendesk.ids import new_id
from pendesk.operations.access.accounts import (
    Email,
    MemberView,
    find_account_defaulting_to_caller,
    member_view,
    owner_id_for_new_item,
)
from pendesk.operations.fields import IdempotencyKey, Name
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import people


class CreateUser(Input):
    name: Annotated[Name, Meta(description="What people call them.")]
    kind: Literal["person", "agent"] = "person"
    email: Email | None = None
    role: RoleWord = "member"
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: CreateUser) -> MemberView:
    role = Role.from_label(args.role)
    check_may_grant_role(call.actor, role)
    owner_id = owner_id_for_new_item(call, "agent")
    user = _create_agent(call, args) if args.kind == "agent" else _find_or_create_person(call, args)
    made_by = (call.actor.user_id, owner_id) if user.kind == "agent" else (None, None)
    people.add_or_restore_member(call.tx, Member(user.id, role.label, call.now, None, *made_by))
    call.record(Event("member.added", user.id, data=MemberAddedData(role=role.label, kind=user.kind)))
    return member_view(find_account_defaulting_to_caller(call, user.id))


def _create_agent(call: Call, args: CreateUser) -> User:
    if args.email is not None:
        raise BadField("email", "is for people; an agent's account has none.")
    if Role.from_label(args.role) > Role.MEMBER:
        raise BadField("role", "must be member or viewer for an agent's account.")
    return _add_user(call, User(new_id(), "agent", None, args.name, None, call.now))


def _find_or_create_person(call: Call, args: CreateUser) -> User:
    """The user behind the email: someone who was a member before keeps their account."""
    if args.email is None:
        raise BadField("email", "is required for a person; for an agent's account give kind: agent.")
    email = args.email.lower()
    known = people.user_by_email(call.tx, email)
    if known is None:
        return _add_user(call, User(new_id(), "person", email, args.name, None, call.now))
    if people.member(call.tx, known.id) is not None:
        raise RuleBroken(f"{email} is a member already. Change their role instead.", code="already_member")
    if not people.is_or_was_member(call.tx, known.id):
        # Made in another workspace, by people whom nobody here knows: they may know its password too. An invite is
        # accepted only by who has both the link from here and the account.
        raise RuleBroken(
            f"{email} has an account on this server. Invite them: they sign in and join.",
            code="account_exists",
        )
    return known


def _add_user(call: Call, user: User) -> User:
    people.add_user(call.tx, user)
    call.record(Event("user.created", user.id, data=UserCreatedData(kind=user.kind)))
    return user


OPERATION = Operation(
    name="create_user",
    title="Add a member",
    description=(
        "Add a person (by email) or an agent's own account (kind agent, no email) to the workspace. A person then "
        "signs in by a link from create_sign_in_link; an agent gets a token. Refused: 403 a role above yours, 422 "
        "already a member, or somebody with an account of another workspace (invite them)."
    ),
    input=CreateUser,
    output=MemberView,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
