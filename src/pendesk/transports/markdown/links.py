"""Addresses in running text become links, in words of a length that addresses have.

The patterns that find them look, at every bracket in an address, for the one that closes it: in one long word of
brackets that takes the square of its length.
"""

import re
from typing import Any

from linkify_it import LinkifyIt  # type: ignore[import-untyped]
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline import linkify as any_address

from pendesk.domain.limits import LINKED_WORD_CHARS

_SCHEME = re.compile("(?:https?|ftp)$", re.IGNORECASE)
_SCHEME_CHARS = 5


class BoundedLinkify(LinkifyIt):  # type: ignore[misc]
    def pretest(self, text: str) -> bool:
        """Asked once for each passage, before anything else."""
        return max(map(len, text.split()), default=0) <= LINKED_WORD_CHARS and bool(super().pretest(text))

    def match_at_start(self, text: str) -> Any:
        """Asked at each `://`, with all that follows."""
        beginning = text[: LINKED_WORD_CHARS + 1]
        return super().match_at_start(beginning) if len(beginning.split(maxsplit=1)[0]) <= LINKED_WORD_CHARS else None


LINKIFY = BoundedLinkify()


def linkify_rule(state: StateInline, silent: bool) -> bool:
    """The rule for `://`. markdown-it's own reads all text before it each time, so it is asked only where a link is."""
    if not state.src.startswith("://", state.pos):
        return False
    scheme = _SCHEME.search(state.pending, max(0, len(state.pending) - _SCHEME_CHARS))
    if scheme is None:
        return False
    start = state.pos - len(scheme[0])
    is_link = LINKIFY.match_at_start(state.src[start : state.pos + LINKED_WORD_CHARS])
    return bool(is_link and any_address(state, silent))
