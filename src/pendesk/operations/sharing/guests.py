"""What the link of a share opens, for the operations of guests."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain import token
from pendesk.domain.errors import LinkLeadsNowhere
from pendesk.domain.publication import Mirror
from pendesk.domain.share import Share, is_share_link_active
from pendesk.operations.operation import Call
from pendesk.store import mirrors, shares

Secret = Annotated[str, Meta(min_length=1, max_length=100, description="What stands in the link.")]


def find_share_or_mirror_by_link(call: Call, link_secret: str) -> Share | Mirror:
    """What the link opens now: a share of ours, or the mirror that another server publishes here."""
    hashed = token.hash_secret(link_secret)
    share = shares.by_link_hash(call.tx, hashed)
    if share is not None and is_share_link_active(share, call.now):
        return share
    mirror = mirrors.by_link_hash(call.tx, hashed)
    if mirror is None:
        raise LinkLeadsNowhere
    return mirror
