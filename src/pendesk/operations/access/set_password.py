"""set_password: what a person signs in with beside the one-time link."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.membership import check_may_manage_account
from pendesk.domain.people import Account
from pendesk.operations.access.accounts import (
    Email,
    MemberView,
    UserPid,
    find_account_defaulting_to_caller,
    member_view,
)
from pendesk.operations.access.password_hashing import HASHER
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import people, sign_in


class SetPassword(Input):
    """There is no idempotency_key here: nothing derived from a password is kept but its hash."""

    password: Annotated[str, Meta(min_length=limits.PASSWORD_MIN_CHARS, max_length=limits.PASSWORD_MAX_CHARS)]
    user_pid: UserPid | None = None
    email: Annotated[Email, Meta(description="For an owner's account that has none yet.")] | None = None


def run(call: Call, args: SetPassword) -> MemberView:
    account = find_account_defaulting_to_caller(call, args.user_pid)
    check_may_manage_account(call.actor, account)
    if args.email is not None:
        account = _set_email_of_owner_without_one(call, account, args.email.lower())
    if account.kind == "agent":
        raise RuleBroken(f"{account.name} is an agent's account: make a token for it instead.", code="agent_account")
    if account.user_id != call.actor.user_id and people.is_or_was_in_other_workspace(call.tx, account.user_id):
        # A password opens all of a person's workspaces; a link opens only this one.
        raise RuleBroken(
            f"{account.name} belongs to another workspace too, so only they may set their password. "
            "Give them a sign-in link instead.",
            code="not_only_here",
        )
    if call.actor.session_id is not None and people.is_or_was_in_other_workspace(call.tx, account.user_id):
        _check_session_spans_all_workspaces(call)
    people.set_password(call.tx, account.user_id, HASHER.hash(args.password))
    # Whoever got in with the old password, or with a link, is out; the browser that asked stays.
    kept = call.actor.session_id if account.user_id == call.actor.user_id else None
    sign_in.end_other_sessions_in_all_workspaces(call.tx, account.user_id, kept)
    call.record(Event("user.password_set", account.user_id, about_user_id=account.user_id))
    return member_view(account._replace(has_password=True))


def _set_email_of_owner_without_one(call: Call, account: Account, email: str) -> Account:
    """`serve` founds without asking, and nobody signs in with a password alone. An email is added, never replaced."""
    if account.email == email:
        return account
    if (
        account.email is not None
        or account.role != Role.OWNER.label
        or people.user_by_email(call.tx, email) is not None
    ):
        raise RuleBroken(
            "This email cannot be yours here. Leave it out, or ask an owner to invite it.", code="email_not_added"
        )
    people.set_email(call.tx, account.user_id, email)
    return account._replace(email=email)


def _check_session_spans_all_workspaces(call: Call) -> None:
    """A link can be opened by whoever made it: with one, an admin of one workspace would get into all others."""
    if not sign_in.is_session_for_all_workspaces(call.tx, call.actor.session_id or ""):
        raise RuleBroken(
            "You signed in by a link of one workspace and belong to several. Sign in with your password first, or ask "
            "who runs the server: pendesk user password --as your-email.",
            code="not_only_here",
        )


OPERATION = Operation(
    name="set_password",
    title="Set a password",
    description=(
        "Set your own password, or as an admin that of a member below your rank. 10 to 200 characters. Every other "
        "session of that person ends, and so do unused sign-in links. "
        "Refused: 403 someone of your rank or above, 422 an agent's account or an email that is not free."
    ),
    input=SetPassword,
    output=MemberView,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.LONG_WRITE,
    run=run,
)
