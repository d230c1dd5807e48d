"""A share, as those who manage it see it; never its link."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.share import Share, is_share_link_active
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.store import people

ShareId = Annotated[Ident, Meta(description="The share's id from list_shares.")]
ShareState = Literal["open", "ended", "published"]


class ShareView(Output):
    """state: published is a mirror on serverUrl, which sync_push keeps up to date."""

    share_id: str
    project_id: str
    state: ShareState
    takes_items: bool
    with_documents: bool
    created_by: str
    created_by_name: str
    owner_id: str
    owner_name: str
    created_at: str
    action_id: str | None = None
    server_url: str | None = None
    expires_at: str | None = None
    revoked_at: str | None = None


def share_views(call: Call, page: list[Share]) -> list[ShareView]:
    names = people.names_by_user_id(
        call.tx, [user_id for share in page for user_id in (share.created_by, share.owner_id)]
    )
    return [_share_view(call, share, names) for share in page]


def _share_view(call: Call, share: Share, name_by_user_id: dict[str, str]) -> ShareView:
    return ShareView(
        share_id=share.id,
        project_id=share.project_id,
        state=_share_state(call, share),
        takes_items=bool(share.takes_items),
        with_documents=bool(share.with_documents),
        created_by=share.created_by,
        created_by_name=name_by_user_id.get(share.created_by, ""),
        owner_id=share.owner_id,
        owner_name=name_by_user_id.get(share.owner_id, ""),
        created_at=to_iso(share.created_at),
        action_id=share.action_id,
        server_url=share.server_url,
        expires_at=to_iso_or_none(share.expires_at),
        revoked_at=to_iso_or_none(share.revoked_at),
    )


def _share_state(call: Call, share: Share) -> ShareState:
    if share.server_url is not None and share.revoked_at is None:
        return "published"
    return "open" if is_share_link_active(share, call.now) else "ended"
