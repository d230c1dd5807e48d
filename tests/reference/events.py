"""docs/reference/events.md: every kind of event, in the words of the timeline."""

import re
from itertools import groupby
from typing import get_args

from pendesk.domain.event import EventKind
from pendesk.domain.event_phrases import PHRASES
from pendesk.domain.event_visibility import PRIVATE_KINDS
from tests.reference.markdown import anchored, code, plain, table

HEAD = """\
# Events

Every kind that the log, the [live feed](../live-feed.md), [webhooks](../webhooks.md) and the timeline can carry.
Generated from the program; `make reference` writes it anew. A filter takes a kind (`action.claimed`) or a noun
(`action`).

The words are what the timeline shows after the name of whoever did it. *Italics* are fields of the event's `data`;
HRB-12 stands for the ref code of the action. **Private** events are seen by admins, and by those they are about, when
signed in; [no token sees them](../live-feed.md#who-sees-what).

Some kinds keep the wire's older words: `submission.*` is a [guest request](../glossary.md#people-and-access),
`picture.*` a mirror, `clarification.*` a question.
"""


def render() -> str:
    kinds = sorted(get_args(EventKind))
    lines = [HEAD]
    for noun, group in groupby(kinds, lambda kind: kind.partition(".")[0]):
        rows = [(anchored(kind, code(kind)), _words(kind), _seen_by(kind)) for kind in group]
        lines += [f"## {noun}", "", *table(("kind", "in words", "seen by"), rows)]
    return "\n".join(lines)


def _words(kind: str) -> str:
    phrase = plain(PHRASES.get(kind, kind.replace(".", " "))).replace("{it}", "HRB-12")
    return re.sub(r"\{(\w+)\}", r"*\1*", phrase)


def _seen_by(kind: str) -> str:
    return "private" if kind in PRIVATE_KINDS else "the workspace"
