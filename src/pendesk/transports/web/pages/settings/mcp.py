"""GET /settings/mcp: how an agent gets in: the address, tokens, and what to paste where."""

from typing import Any

from pendesk.domain.access import TOOL_SETS
from pendesk.domain.oauth import SCOPE_WORDS
from pendesk.domain.redirect import parse_loopback_uri
from pendesk.transports.web.parts.view import Page, View

LIFETIMES = [(90, "In 90 days"), (30, "In 30 days"), (365, "In a year")]


async def load(view: View) -> dict[str, Any]:
    page = await view.call("list_tokens", everyone=view.has_role("admin"))
    tokens = [token for token in page.tokens if token.state == "active"]
    account = view.query_param("for") or view.actor.user_id
    grants = (await view.call("list_grants", everyone=view.has_role("admin"))).grants
    return {
        "tokens": tokens,
        "tool_sets": list(TOOL_SETS.values()),
        "scope_words": [(scope.value, text) for scope, text in SCOPE_WORDS.items()],
        "speakers": await _accounts_new_token_can_act_as(view),
        "grants": [grant for grant in grants if grant.revoked_at is None],
        "used": any(grant.user_id == view.actor.user_id for grant in grants)
        or any(token.last_used_at for token in tokens if token.user_id == account),
        "lives": token_lifetime_choices(view.limits.token_max_days),
        "mcp_url": f"{view.public_url}/mcp",
        "on_this_computer": parse_loopback_uri(f"{view.public_url}/") is not None,
    }


def token_lifetime_choices(max_days: int | None) -> list[tuple[str, str]]:
    """How long a new token may live: the usual first. Without a number it lives as long as the server allows."""
    usual = [(days, text) for days, text in LIFETIMES if max_days is None or days < max_days]
    last = "Never" if max_days is None else f"In {max_days} day{'s' if max_days != 1 else ''} (maximum)"
    return [*((str(days), text) for days, text in usual), ("", last)]


async def _accounts_new_token_can_act_as(view: View) -> list[tuple[str, str]]:
    """The accounts a new token can act as: yourself, and for an admin every agent account."""
    members = (await view.call("list_members")).members if view.has_role("admin") else []
    agents = [(member.user_id, member.name) for member in members if member.kind == "agent"]
    return [("", "Yourself"), *agents]


PAGE = Page("/settings/mcp", "settings/mcp.html", load)
