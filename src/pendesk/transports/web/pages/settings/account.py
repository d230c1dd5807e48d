"""GET /settings/account: your name, your password, and where you are signed in."""

from typing import Any

from pendesk.domain.limits import PASSWORD_MIN_CHARS
from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    sessions = await view.call("list_sessions")
    return {
        "sessions": sessions.sessions,
        "email": sessions.email,
        "you": view.actor.user_name,
        "password_chars": PASSWORD_MIN_CHARS,
    }


PAGE = Page("/settings/account", "settings/account.html", load)
