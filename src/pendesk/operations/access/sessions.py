"""What every kind of sign-in shares: how a session begins, and the actor that one speaks for."""

import re
import secrets
from typing import Literal

from pendesk.domain import limits, token
from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.event import Event
from pendesk.domain.event_data import SessionStartedData
from pendesk.operations.operation import Call
from pendesk.store import sign_in
from pendesk.store.sign_in import WorkspaceMember

SignInMethod = Literal["link", "password", "invite", "oidc"]
# Only these prove who the person is; a link proves that somebody of one workspace vouches for them.
PROVES_THE_PERSON = ("password", "invite", "oidc")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


def begin_session_and_get_secret(call: Call, method: SignInMethod, user_agent: str) -> str:
    """The secret for the cookie. `user_agent` is what the browser calls itself, for its person to recognise it."""
    secret = token.make_link_or_cookie_secret(secrets.token_bytes(token.RANDOM_BYTES))
    sign_in.add_session(
        call.tx,
        token.hash_secret(secret),
        call.actor.user_id,
        call.now + limits.SESSION_US,
        all_workspaces=method in PROVES_THE_PERSON,
        sign_in_method=method,
        browser=_CONTROL.sub("", user_agent)[: limits.BROWSER_CHARS],
    )
    user_id = call.actor.user_id
    call.record(Event("session.started", user_id, data=SessionStartedData(by=method), about_user_id=user_id))
    return secret


def actor_of_signed_in_member(member: WorkspaceMember) -> Actor:
    role = Role.from_label(member.role)
    return Actor(
        member.workspace_id,
        member.user_id,
        member.user_name,
        role,
        ALL_SCOPES,
        "web",
        session_id=member.session_id,
    )
