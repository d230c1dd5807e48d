"""How a one-time link becomes a session. Not an operation: before it there is nobody to admit at the dispatcher."""

import re
import secrets
from typing import Literal

from pendesk.domain import limits, token
from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.event import Event
from pendesk.operations.dispatch import Store
from pendesk.operations.operation import Call, Installation
from pendesk.store import sign_in
from pendesk.store.engine.tx import Tx
from pendesk.store.sign_in import SignedIn

BeganBy = Literal["link", "password", "invite", "oidc"]
# Only these show that the person is who they say; a link shows that somebody of one workspace vouches for them.
PROVES_THE_PERSON = ("password", "invite", "oidc")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


async def start_session(store: Store, installation: Installation, code: str, browser: str = "") -> str | None:
    """The session's secret, or None where the link is unknown, used or too old."""
    link_hash = token.digest(code)
    found = await store.read("", lambda tx: sign_in.link(tx, link_hash))
    if found is None:
        return None

    def work(tx: Tx) -> str | None:
        signed_in = sign_in.use_link(tx, link_hash)
        if signed_in is None:  # another request was faster
            return None
        return begin_session(Call(tx, as_actor(signed_in), installation), "link", browser)

    return await store.write(found.workspace_id, work)


def begin_session(call: Call, began_by: BeganBy, browser: str) -> str:
    """The secret for the cookie. `browser` is what the browser calls itself, for its person to recognise it."""
    secret = token.write_code(secrets.token_bytes(token.RANDOM_BYTES))
    sign_in.add_session(
        call.tx,
        token.digest(secret),
        call.actor.user_id,
        call.now + limits.SESSION_US,
        everywhere=began_by in PROVES_THE_PERSON,
        began_by=began_by,
        browser=_CONTROL.sub("", browser)[: limits.BROWSER_CHARS],
    )
    call.record(Event("session.started", call.actor.user_id, data={"by": began_by}))
    return secret


async def find_session(store: Store, secret: str) -> Actor | None:
    """The person behind a session's secret, while the session lasts and they are a member."""
    found = await store.read("", lambda tx: sign_in.session(tx, token.digest(secret)))
    return as_actor(found) if found else None


async def end_session(store: Store, secret: str) -> None:
    await store.write("", lambda tx: sign_in.end_session(tx, token.digest(secret)))


def as_actor(signed_in: SignedIn) -> Actor:
    role = Role.from_word(signed_in.role)
    return Actor(
        signed_in.workspace_id,
        signed_in.user_id,
        signed_in.user_name,
        role,
        ALL_SCOPES,
        "web",
        session_id=signed_in.session_id,
    )
