"""GET /settings/mcp: how an agent gets in: the address, tokens, and what to paste where."""

from typing import Any

from pendesk.transports.web.view import Page, View


async def load(view: View) -> dict[str, Any]:
    found = await view.call("list_tokens")
    tokens = [token for token in found.tokens if token.state == "active"]
    grants = (await view.call("list_grants")).grants
    return {
        "tokens": tokens,
        "grants": [grant for grant in grants if grant.revoked_at is None],
        "used": any(token.last_used_at for token in tokens) or bool(grants),
        "mcp_url": f"{view.public_url}/mcp",
    }


PAGE = Page("/settings/mcp", "settings/mcp.html", load)
