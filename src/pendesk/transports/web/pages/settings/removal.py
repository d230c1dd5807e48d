"""GET /settings/members/{member}/remove and .../role: what a member owns, before it is removed or transferred."""

from typing import Any

from pendesk.domain.ownership import ALWAYS_ENDS, WORDS, describe_credential_and_claim_counts, describe_owned_counts
from pendesk.transports.web.pages.settings.members import ROLES
from pendesk.transports.web.parts.view import Page, View

# Kind -> the icon beside it.
ICONS = {
    "agent": "bot",
    "agent_token": "key-round",
    "personal_token": "key-round",
    "webhook": "webhook",
    "github_webhook": "git-branch",
    "share": "share-2",
    "picture": "monitor",
    "invite": "mail",
}


async def load_member_removal_preview(view: View) -> dict[str, Any]:
    return await _load_removal_or_role_change_preview(view, None)


async def load_role_change_preview(view: View) -> dict[str, Any]:
    return await _load_removal_or_role_change_preview(view, view.query_param("role") or "viewer")


async def _load_removal_or_role_change_preview(view: View, new_role: str | None) -> dict[str, Any]:
    preview = await view.call("preview_removal", user_pid=view.path_param("member"), role=new_role)
    can_transfer = any(item.kind not in ALWAYS_ENDS for item in preview.owned)
    new_owners = [(member.user_id, f"Transfer to {member.name} ({member.role})") for member in preview.new_owners]
    return {
        "preview": preview,
        "choices": [("", "Remove everything"), *(new_owners if can_transfer else [])],
        "counted": describe_owned_counts(item.kind for item in preview.owned),
        "own": describe_credential_and_claim_counts(preview.own.tokens, preview.own.grants, preview.own.claims),
        "kinds": {kind: word[0].upper() + word[1:] for kind, (word, _plural) in WORDS.items()},
        "icons": ICONS,
        "role": new_role,
        "roles": ROLES,
    }


PAGES = [
    Page("/settings/members/{member}/remove", "settings/remove_member.html", load_member_removal_preview),
    Page("/settings/members/{member}/role", "settings/change_role.html", load_role_change_preview),
]
