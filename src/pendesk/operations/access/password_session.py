"""An email and a password become a session. Not an operation: before it there is nobody to admit at the dispatcher."""

import asyncio
import re
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2.exceptions import InvalidHashError, VerificationError

from pendesk.domain import limits
from pendesk.domain.people import User
from pendesk.operations.access.set_password import HASHER
from pendesk.operations.access.start_session import as_actor, begin_session
from pendesk.operations.dispatch import Store
from pendesk.operations.operation import Call, Installation
from pendesk.store import people, sign_in
from pendesk.store.engine.tx import Tx

_EMAIL = re.compile(r"[^\s@<>,;\x00-\x1f\x7f]+@[^\s@<>,;\x00-\x1f\x7f]+\Z")
# Each check takes 19 MiB and tens of milliseconds: two at once, off the loop's thread, and no flood of them.
CHECKERS = ThreadPoolExecutor(2, thread_name_prefix="pendesk-password")


async def start_password_session(
    store: Store, installation: Installation, email: str, password: str, browser: str = ""
) -> str | None:
    """The session's secret, or None; for an unknown address after the same work as for a wrong password."""
    user = await _user(store, email.strip().lower())
    known = user.password_hash if user else None
    loop = asyncio.get_running_loop()
    good = await loop.run_in_executor(CHECKERS, _is_right, known, password[: limits.PASSWORD_MAX_CHARS + 1])
    home = await store.read("", lambda tx: sign_in.home(tx, user.id)) if user and good else None
    if user is None or home is None:
        return None

    def work(tx: Tx) -> str | None:
        people.lock_member(tx, user.id)
        now = people.user(tx, user.id)
        if people.member(tx, user.id) is None or now is None or now.password_hash != known:
            return None  # removed, or another password since
        return begin_session(Call(tx, as_actor(home), installation), "password", browser)

    return await store.write(home.workspace_id, work)


async def _user(store: Store, email: str) -> User | None:
    if len(email) > limits.EMAIL_CHARS or not _EMAIL.match(email):
        return None
    return await store.read("", lambda tx: people.user_by_email(tx, email))


def _is_right(known: str | None, password: str) -> bool:
    try:
        return HASHER.verify(known or _nobodys_hash(), password) and known is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobodys_hash() -> str:
    return HASHER.hash(secrets.token_urlsafe(32))
