"""Secrets that can be told by their shape alone: tokens with a prefix of their issuer, and private keys.

Few and certain: whoever is refused for a line that is no secret learns to leave the check out. So there is nothing here
that goes by how random a text looks, and placeholders pass ("ghp_xxxx", AWS's own "EXAMPLE" keys).
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pendesk.domain.token import SECRET, has_token_format

# Every shape below has one of these: most lines have none, and need no other pattern.
_HINT = re.compile(
    r"AKIA|ASIA|(?i:aws_secret)|gh[pousr]_|github_pat_|gl(?:pat|dt|rt|ptt)-|xox|xapp-|hooks\.slack|_live_|whsec_|sk-|AIza"
    r"|GOCSPX-|npm_|pypi-|pendesk_|PRIVATE KEY"
)
# Before it stands nothing that could belong to it; the group is what its issuer chose at random.
_SHAPES = (
    ("AWS access key", re.compile(r"(?<![A-Za-z0-9])(?:AKIA|ASIA)([A-Z2-7]{16})(?![A-Za-z0-9])")),
    (
        "AWS secret key",
        re.compile(
            r"(?i:aws_secret_access_key|aws_secret_key)[\"']? ?[=:] ?[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])"
        ),
    ),
    ("GitHub token", re.compile(r"(?<![A-Za-z0-9_])gh[pousr]_([A-Za-z0-9]{36})")),
    ("GitHub token", re.compile(r"(?<![A-Za-z0-9_])github_pat_([A-Za-z0-9]{22}_[A-Za-z0-9]{59})")),
    ("GitLab token", re.compile(r"(?<![A-Za-z0-9_-])gl(?:pat|dt|rt|ptt)-([A-Za-z0-9_-]{20})")),
    ("Slack token", re.compile(r"(?<![A-Za-z0-9-])xox[abeprs]-([0-9]{9,14}-[A-Za-z0-9-]{20})")),
    ("Slack token", re.compile(r"(?<![A-Za-z0-9-])xapp-[0-9]-([A-Z0-9]{9,14}-[0-9]{9,14}-[a-f0-9]{40})")),
    ("Slack webhook", re.compile(r"hooks\.slack\.com/services/(T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{20})")),
    ("Stripe key", re.compile(r"(?<![A-Za-z0-9_])[sr]k_live_([A-Za-z0-9]{24})")),
    ("Stripe webhook secret", re.compile(r"(?<![A-Za-z0-9_])whsec_([A-Za-z0-9]{32})")),
    ("Anthropic key", re.compile(r"(?<![A-Za-z0-9_-])sk-ant-[a-z]{3,5}[0-9]{2}-([A-Za-z0-9_-]{80})")),
    ("OpenAI key", re.compile(r"(?<![A-Za-z0-9_-])sk-(?:proj|svcacct|admin)-([A-Za-z0-9_-]{40})")),
    ("OpenAI key", re.compile(r"(?<![A-Za-z0-9_-])sk-([A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})")),
    ("Google API key", re.compile(r"(?<![A-Za-z0-9_-])AIza([A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])")),
    ("Google client secret", re.compile(r"(?<![A-Za-z0-9_-])GOCSPX-([A-Za-z0-9_-]{28})(?![A-Za-z0-9_-])")),
    ("npm token", re.compile(r"(?<![A-Za-z0-9_])npm_([A-Za-z0-9]{36})(?![A-Za-z0-9])")),
    ("PyPI token", re.compile(r"(?<![A-Za-z0-9_-])pypi-(AgE[A-Za-z0-9_-]{60})")),
)
# A key that goes on in the same line, as in JSON, or in the next: who only names the first line has none.
_PRIVATE_KEY = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----")
_KEY_MATERIAL = re.compile(r"(?:\\r)?(?:\\n)?[\"' \t,+]{0,40}[A-Za-z0-9+/=]{40}")
# A random text of twenty characters has more different ones than this; XXXX and 12341234 have fewer.
_DIFFERENT_CHARS = 8


class AddedSecret(NamedTuple):
    """`line` is the line's number in the new file. The secret itself is nowhere in it."""

    line: int
    shape: str


def added_secrets(new_start: int, lines: Sequence[str]) -> Iterator[AddedSecret]:
    """In the added lines of a hunk, whose lines begin with a blank, + or -; the first of each line."""
    line_number = new_start
    for index, line in enumerate(lines):
        if line.startswith("+"):
            following = lines[index + 1][1:] if index + 1 < len(lines) else ""
            shape = secret_shape(line[1:], following)
            if shape is not None:
                yield AddedSecret(line_number, shape)
        if line.startswith(("+", " ")):
            line_number += 1


def secret_shape(line: str, following_line: str = "") -> str | None:
    """What the line holds, such as "GitHub token"; None if nothing is recognized."""
    if _HINT.search(line) is None:
        return None
    for name, pattern in _SHAPES:
        if any(_is_random(match[1]) for match in pattern.finditer(line)):
            return name
    if any(has_token_format(match[0], match[0][:12]) for match in SECRET.finditer(line)):
        return "Pendesk token"
    begin = _PRIVATE_KEY.search(line)
    if begin and (_KEY_MATERIAL.match(line, begin.end()) or _KEY_MATERIAL.match(following_line)):
        return "private key"
    return None


def _is_random(body: str) -> bool:
    return len(set(body)) > _DIFFERENT_CHARS and "EXAMPLE" not in body.upper()
