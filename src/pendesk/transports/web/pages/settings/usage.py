"""GET /settings/usage: what the workspace and your account have stored, and what they may."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    usage = await view.call("get_usage")
    return {
        "workspace": [
            ("Files", "All that were not removed.", usage.workspace_files),
            ("Long texts", "Written since the workspace was created, with every revision kept.", usage.workspace_text),
        ],
        "account": [
            ("Files", "Those that you or your agents added.", usage.account_files),
            ("Long texts", "Written by your agents with your tokens today (UTC).", usage.account_text),
        ],
    }


PAGE = Page("/settings/usage", "settings/usage.html", load)
