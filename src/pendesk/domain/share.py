"""Shares: links by which guests see a project or an action, and may send a request."""

from typing import NamedTuple

from pendesk.domain.errors import RuleBroken, TooManyRequests
from pendesk.domain.limits import GUEST_REQUESTS_WAITING


class Share(NamedTuple):
    """`hash` is of the secret in its link. With a server_url it stands on that server, and opens nothing here."""

    id: str
    project_id: str
    action_id: str | None
    hash: str
    takes_items: int
    with_documents: int
    server_url: str | None
    created_by: str
    owner_id: str
    created_at: int
    expires_at: int | None
    revoked_at: int | None


def is_share_link_active(share: Share, now: int) -> bool:
    ended = share.expires_at is not None and share.expires_at <= now
    return share.revoked_at is None and share.server_url is None and not ended


def check_accepts_another_guest_request(accepts_requests: bool, waiting_count: int) -> None:
    if not accepts_requests:
        raise RuleBroken(
            "This page takes no messages. Contact the person who sent you the link.", code="takes_no_items"
        )
    if waiting_count >= GUEST_REQUESTS_WAITING:
        raise TooManyRequests(
            "Too many messages are waiting here to be read. Try again in a few days, or contact the person who sent "
            "you the link.",
            code="inbox_full",
        )
