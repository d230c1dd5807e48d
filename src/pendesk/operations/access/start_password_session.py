"""start_password_session: an email and a password become a session."""

import re
from typing import NamedTuple

from pendesk.domain import limits
from pendesk.domain.people import User
from pendesk.operations.access.password_hashing import verify_password
from pendesk.operations.access.sessions import actor_of_signed_in_member, begin_session_and_get_secret
from pendesk.operations.operation import Answer, Installation, Kind, Match, PrivilegedCall, SecretOperation
from pendesk.store import people, sign_in
from pendesk.store.sign_in import WorkspaceMember

_EMAIL = re.compile(r"[^\s@<>,;\x00-\x1f\x7f]+@[^\s@<>,;\x00-\x1f\x7f]+\Z")


class StartPasswordSession(NamedTuple):
    email: str
    password: str
    browser: str = ""


class Account(NamedTuple):
    """Both None for an unknown address, which is checked all the same."""

    user: User | None
    home: WorkspaceMember | None


def check(_installation: Installation, args: StartPasswordSession) -> Match[Account] | None:
    email = args.email.strip().lower()
    malformed = len(email) > limits.EMAIL_CHARS or not _EMAIL.match(email)
    return Match("", Account(None, None)) if malformed else None


def find(call: PrivilegedCall, args: StartPasswordSession) -> Match[Account]:
    user = people.user_by_email(call.tx, args.email.strip().lower())
    # The same queries for an unknown address as for a known one: the time of the answer must not tell them apart.
    home = sign_in.oldest_membership(call.tx, user.id if user else "")
    return Match(home.workspace_id if home else "", Account(user, home))


async def verify(
    _installation: Installation, args: StartPasswordSession, match: Match[Account]
) -> Match[Account] | Answer[None]:
    user, home = match.value
    correct = await verify_password(
        user.password_hash if user else None, args.password[: limits.PASSWORD_MAX_CHARS + 1]
    )
    return match if correct and home is not None else Answer(None)


def run(call: PrivilegedCall, args: StartPasswordSession, account: Account) -> str | None:
    assert account.user is not None
    assert account.home is not None
    people.lock_member(call.tx, account.user.id)
    user = people.user(call.tx, account.user.id)
    is_member = people.member(call.tx, account.user.id) is not None
    if not is_member or user is None or user.password_hash != account.user.password_hash:
        return None  # removed, or another password since
    call.act_as(actor_of_signed_in_member(account.home))
    return begin_session_and_get_secret(call, "password", args.browser)


OPERATION = SecretOperation(
    name="start_password_session",
    title="Sign in with a password",
    description="The new session's secret, or None; an unknown address takes as long as a wrong password.",
    input=StartPasswordSession,
    output=str | None,
    kind=Kind.WRITE,
    check=check,
    find=find,
    verify=verify,
    run=run,
)
