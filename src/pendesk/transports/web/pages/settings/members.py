"""GET /settings/members: who belongs to the workspace, with which role, and who is invited."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View

ROLES = [("owner", "Owner"), ("admin", "Admin"), ("member", "Member"), ("viewer", "Viewer")]

PARTICIPATION = [
    ("everyone", "Everyone takes part", "all members but viewers, and their agents, also those who join later"),
    ("invitation", "By invitation", "the participants of each spec, and their agents"),
]


async def load(view: View) -> dict[str, Any]:
    members = await view.call("list_members", cursor=view.query_param("cursor"))
    invites = (await view.call("list_invites")).invites if view.has_role("admin") else []
    return {
        "workspace": await view.call("get_workspace"),
        "participation": PARTICIPATION,
        "members": members.members,
        "next_cursor": members.next_cursor,
        "invites": invites,
        "roles": ROLES,
        "you": view.actor.user_id,
    }


PAGE = Page("/settings/members", "settings/members.html", load)
