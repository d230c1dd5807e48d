"""What an open page is told of several events together: which records changed. What they are like now, it asks for."""

import re
from collections.abc import Iterable

from pendesk.domain.event import EventKind
from pendesk.operations.timeline.list_events import EventRow

# What no number of the sidebar depends on.
_NOT_COUNTED = re.compile(
    r"action\.edited|action\.progressed|report\.late|(attachment|branch|canvas|change|checks|commit|criterion"
    r"|deviations|document|evidence|goal|message|note|picture|pull_request|run|test|test_report)\."
)
# What a browser may announce, if its reader wishes (notify.js): a page is told these whole.
ANNOUNCED: frozenset[EventKind] = frozenset(
    {
        "clarification.asked",
        "action.submitted",
        "action.resubmitted",
        "action.dropped",
        "action.moved",
        "submission.received",
        "comment.added",
        "comment.edited",
    }
)


def topics_of(rows: Iterable[EventRow]) -> list[str]:
    """In their order, each once: `action:ID` and the like; `counts` where a number of the sidebar may be another."""
    topics: dict[str, None] = {}
    for row in rows:
        if not _NOT_COUNTED.match(row.kind):
            topics["counts"] = None
        named = {row.action_id: "action", row.project_id: "project", row.spec_id: "spec"}
        for ident, noun in ({row.object_id: "object"} | named).items():
            if ident:
                topics[f"{noun}:{ident}"] = None
    return list(topics)
