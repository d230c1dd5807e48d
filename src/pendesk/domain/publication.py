"""A project's mirror on another server: where it is, how its link is made, and what of it is trusted."""

import hashlib
import hmac
import re
from typing import NamedTuple

from pendesk.domain import token
from pendesk.domain.errors import Advice, BadField, RuleBroken
from pendesk.domain.limits import DAY_US, GUEST_REQUESTS_WAITING

# An origin, judged on its raw text: two readings of one address would let a token go astray.
_ORIGIN = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?\Z")


class Publication(NamedTuple):
    """This side: a project of ours that is shown there."""

    project_id: str
    share_id: str
    server_url: str
    sealed_token: str
    digest: str
    published_by: str
    pushed_at: int
    pulled_at: int | None


class Mirror(NamedTuple):
    """The other side: what is shown here of a project that lives on another server (`source_id`)."""

    id: str
    source_id: str
    hash: str
    name: str
    content: str
    digest: str
    drawn_at: int
    received_by: str
    received_at: int
    owner_id: str


class MirrorGuestRequest(NamedTuple):
    """What a guest sent through a mirror, until its own server has fetched it."""

    id: str
    picture_id: str
    guest_name: str
    title: str
    body: str
    created_at: int


def derive_mirror_link_secret(key: bytes, workspace_id: str, mirror_id: str) -> str:
    """The secret in a mirror's link is made from the server's key: whoever published it can read it again, and yet it
    is not stored."""
    message = "\x00".join(("picture link", workspace_id, mirror_id)).encode()
    return token.make_token(hmac.new(key, message, hashlib.sha256).digest(), token.SHARE_PREFIX)


def normalize_server_origin(server_url: str) -> str:
    url = server_url.strip().rstrip("/")
    if not _ORIGIN.match(url):
        raise BadField("server_url", "give the server's address without a path, e.g. https://desk.example.com.")
    return url.lower()


def strip_and_check_sync_token(sync_token: str) -> str:
    if not token.has_token_format(sync_token.strip(), token.PREFIX, token.ACCESS_PREFIX):
        raise BadField(
            "sync_token",
            "is not a whole token of a Pendesk server. Create one there with the scope desk.write.",
        )
    return sync_token.strip()


def check_not_published_elsewhere(existing: Publication | None, server_url: str, ref: str) -> None:
    if existing is not None and existing.server_url != server_url:
        raise RuleBroken(
            f"{ref} is published on {existing.server_url} already, and a project has one such place; to change it, a "
            "person revokes that share first.",
            code="published_elsewhere",
            advice=(Advice("sync_push updates it there.", ("sync_push",)),),
            person_message=f"{ref} is published on {existing.server_url} already. Revoke that share in Settings first.",
            serverUrl=existing.server_url,
        )


def check_mirror_not_from_future(drawn_at: int, now: int) -> None:
    """A clock that is far ahead would make every later version look old."""
    if drawn_at > now + DAY_US:
        raise BadField("drawn_at", "is more than a day ahead of this server's clock; correct the clocks.")


def check_guest_request_limit(waiting_count: int) -> None:
    if waiting_count >= GUEST_REQUESTS_WAITING:
        raise RuleBroken(
            f"{waiting_count} guest requests wait here already.",
            code="inbox_full",
            advice=(
                Advice(
                    "Triage some of list_submissions first, with triage_submission.",
                    ("list_submissions", "triage_submission"),
                ),
            ),
            person_message=f"{waiting_count} guest requests wait here already. Accept or reject some of them first.",
        )
