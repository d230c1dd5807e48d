"""What several operations of this room share: finding the member that is meant, and telling about one."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import RoleWord, UserKind, no_longer_member_error
from pendesk.domain.errors import NotFound
from pendesk.domain.ownership import OwnedKind, check_may_own
from pendesk.domain.people import Account, Member
from pendesk.ids import parse_id
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.store import people

Email = Annotated[
    str,
    Meta(max_length=limits.EMAIL_CHARS, pattern=r"\A[^\s@<>,;]+@[^\s@<>,;]+\Z", description="An email address."),
]
UserPid = Annotated[Ident, Meta(description="The member's user id, or their email address.")]
TokenScope = Literal["specs.read", "builds.write", "desk.read", "desk.write", "specs.write"]


class MemberView(Output):
    """owner: who answers for an agent's account; created_by: who added it."""

    user_id: str
    kind: UserKind
    name: str
    role: RoleWord
    email: str | None = None
    has_password: bool = False
    added_at: str | None = None
    owner_id: str | None = None
    owner_name: str | None = None
    created_by: str | None = None
    created_by_name: str | None = None


def find_account_defaulting_to_caller(call: Call, user_id_or_email: str | None) -> Account:
    """The member that is meant: the caller where nobody is named."""
    if user_id_or_email is None:
        account = people.account(call.tx, call.actor.user_id)
    elif "@" in user_id_or_email:
        account = people.account_by_email(call.tx, user_id_or_email.strip().lower())
    else:
        pid = parse_id(user_id_or_email)
        account = people.account(call.tx, pid) if pid else None
    if account is None:
        raise NotFound("member", user_id_or_email or "")
    return account


def member_view(account: Account, *, with_email: bool = True) -> MemberView:
    return MemberView(**member_view_fields(account, with_email=with_email))


def member_view_fields(account: Account, *, with_email: bool = True) -> dict[str, Any]:
    """For the view of a member, and for what tells more of one."""
    return {
        **account._asdict(),
        "email": account.email if with_email else None,
        "has_password": bool(account.has_password),
        "added_at": to_iso_or_none(account.added_at),
    }


def owner_id_for_new_item(call: Call, kind: OwnedKind) -> str:
    """Whose a new thing is: the caller's; what an agent makes is the person's who answers for the agent.

    A lower role that is under way comes first, as a removal does.
    """
    member = lock_caller_member(call)
    check_may_own(member.role, kind)
    return member.owner_id or member.user_id


def lock_caller_member(call: Call) -> Member:
    """The caller, for what outlives the call: a removal that is under way comes first, and leaves nothing unseen."""
    people.lock_member(call.tx, call.actor.user_id)
    member = people.member(call.tx, call.actor.user_id)
    if member is None:
        raise no_longer_member_error()
    return member
