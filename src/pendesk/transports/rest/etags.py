"""Entity tags: `"revision.digest"`. An edit refers to the revision, a repeated read to the digest of the response.

A revision alone is not enough for a read: a project's response changes with its tasks, its text does not.
"""

import hashlib
import re
from typing import Any

from pendesk.domain.errors import BadField

_TAG = re.compile(r'(?:W/)?"([0-9]{1,15})(?:\.[0-9a-f]{16})?"\Z')


def entity_tag(output: Any, body: bytes) -> str:
    revision = getattr(output, "revision", None)
    digest = hashlib.sha256(body).hexdigest()[:16]
    return f'"{digest}"' if revision is None else f'"{revision}.{digest}"'


def parse_if_match_revision(if_match: str) -> int | None:
    """The revision that an If-Match names; `*` stands for any."""
    if if_match.strip() == "*":
        return None
    match = _TAG.match(if_match.strip())
    if match is None:
        raise BadField("If-Match", 'is not one of our tags. Send the ETag of the text you edited, or "revision".')
    return int(match[1])


def etag_matches_any(if_none_match: str | None, current_etag: str) -> bool:
    tags = (if_none_match or "").split(",")
    return any(tag.strip().removeprefix("W/") in (current_etag, "*") for tag in tags)
