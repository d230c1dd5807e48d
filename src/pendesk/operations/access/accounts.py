"""What several operations of this room share: finding the member that is meant, and telling about one."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import RoleWord, UserKind
from pendesk.domain.errors import NotFound
from pendesk.domain.people import Account
from pendesk.ids import parse_id
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Output, iso
from pendesk.store import people

Email = Annotated[
    str,
    Meta(max_length=limits.EMAIL_CHARS, pattern=r"\A[^\s@<>,;]+@[^\s@<>,;]+\Z", description="An email address."),
]
UserPid = Annotated[Ident, Meta(description="The member's user id, or their email address.")]
TokenScope = Literal["specs.read", "builds.write", "desk.read", "desk.write"]


class MemberView(Output):
    user_id: str
    kind: UserKind
    name: str
    role: RoleWord
    email: str | None = None
    has_password: bool = False
    added_at: str | None = None


def find_account(call: Call, ident: str | None) -> Account:
    """The member that is meant: the caller where nobody is named."""
    if ident is None:
        found = people.account(call.tx, call.actor.user_id)
    elif "@" in ident:
        found = people.account_by_email(call.tx, ident.strip().lower())
    else:
        pid = parse_id(ident)
        found = people.account(call.tx, pid) if pid else None
    if found is None:
        raise NotFound("member", ident or "")
    return found


def view(account: Account, *, with_email: bool = True) -> MemberView:
    return MemberView(
        user_id=account.user_id,
        kind=account.kind,  # type: ignore[arg-type]
        name=account.name,
        role=account.role,  # type: ignore[arg-type]
        email=account.email if with_email else None,
        has_password=bool(account.has_password),
        added_at=iso(account.added_at),
    )
