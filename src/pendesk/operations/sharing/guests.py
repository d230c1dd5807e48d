"""Whoever opens the link of a share: let in as a guest of the workspace that the link belongs to."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain import access, token
from pendesk.domain.access import Actor
from pendesk.domain.errors import LinkLeadsNowhere
from pendesk.domain.publication import HeldPicture
from pendesk.domain.share import Share, is_open
from pendesk.operations.dispatch import Store
from pendesk.operations.operation import Call
from pendesk.store import mirrors, shares

Secret = Annotated[str, Meta(min_length=1, max_length=100, description="What stands in the link.")]


async def let_in(store: Store, secret: str) -> Actor:
    """What cannot be a link's secret costs no look into the database."""
    if not token.is_token(secret, token.SHARE_PREFIX):
        raise LinkLeadsNowhere
    hashed = token.digest(secret)
    workspace_id = await store.read("", lambda tx: shares.workspace_of(tx, hashed))
    if workspace_id is None:
        raise LinkLeadsNowhere
    return access.guest(workspace_id)


def opened_by(call: Call, secret: str) -> Share | HeldPicture:
    """What the link opens now: a share of ours, or the picture that another server publishes here."""
    hashed = token.digest(secret)
    share = shares.by_hash(call.tx, hashed)
    if share is not None and is_open(share, call.now):
        return share
    picture = mirrors.by_hash(call.tx, hashed)
    if picture is None:
        raise LinkLeadsNowhere
    return picture
