"""GET /settings/mcp: how an agent gets in: the address, tokens, and what to paste where."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View

LIVES = [(90, "In 90 days"), (30, "In 30 days"), (365, "In a year")]


async def load(view: View) -> dict[str, Any]:
    found = await view.call("list_tokens", everyone=view.may("admin"))
    tokens = [token for token in found.tokens if token.state == "active"]
    speaker = view.asked("for") or view.actor.user_id
    grants = (await view.call("list_grants")).grants
    return {
        "tokens": tokens,
        "speakers": await _speakers(view),
        "grants": [grant for grant in grants if grant.revoked_at is None],
        "used": bool(grants) or any(token.last_used_at for token in tokens if token.user_id == speaker),
        "lives": lives(view.limits.token_max_days),
        "mcp_url": f"{view.public_url}/mcp",
    }


def lives(longest: int | None) -> list[tuple[str, str]]:
    """How long a new token may live: the usual first. Without a number it lives as long as the server allows."""
    usual = [(days, text) for days, text in LIVES if longest is None or days < longest]
    last = "Never" if longest is None else f"In {longest} day{'s' if longest != 1 else ''} (maximum)"
    return [*((str(days), text) for days, text in usual), ("", last)]


async def _speakers(view: View) -> list[tuple[str, str]]:
    """Whom a new token can speak for: yourself, and for an admin every agent that has an account."""
    members = (await view.call("list_members")).members if view.may("admin") else []
    agents = [(member.user_id, member.name) for member in members if member.kind == "agent"]
    return [("", "Yourself"), *agents]


PAGE = Page("/settings/mcp", "settings/mcp.html", load)
