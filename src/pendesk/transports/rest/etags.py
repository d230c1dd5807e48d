"""Entity tags: `"revision.digest"`. Whoever edits names the revision by it, whoever reads again the whole answer.

A revision alone would not do for reading again: a project's answer changes with its tasks, its text does not.
"""

import hashlib
import re
from typing import Any

from pendesk.domain.errors import BadField

_TAG = re.compile(r'(?:W/)?"([0-9]{1,15})(?:\.[0-9a-f]{16})?"\Z')


def tag(answer: Any, body: bytes) -> str:
    revision = getattr(answer, "revision", None)
    digest = hashlib.sha256(body).hexdigest()[:16]
    return f'"{digest}"' if revision is None else f'"{revision}.{digest}"'


def expected_revision(if_match: str) -> int | None:
    """The revision that an If-Match names; `*` stands for any."""
    if if_match.strip() == "*":
        return None
    named = _TAG.match(if_match.strip())
    if named is None:
        raise BadField("If-Match", 'is not one of our tags. Send the ETag of the text you edited, or "revision".')
    return int(named[1])


def is_known(if_none_match: str | None, present: str) -> bool:
    known = (if_none_match or "").split(",")
    return any(each.strip().removeprefix("W/") in (present, "*") for each in known)
