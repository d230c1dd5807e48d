"""The stream as text: https://html.spec.whatwg.org/multipage/server-sent-events.html.

JSON text has no line break of its own, so nothing that is stored can begin a field or an event.
"""

from collections.abc import Sequence

from pendesk.operations.operation import encode_json
from pendesk.operations.timeline.list_events import EventRow
from pendesk.transports.live.changes import ANNOUNCED, topics_of

RETRY_MS = 1_000
# What agent sessions do has changed. It is in no log, so it has no number; who shows it reads it anew.
ACTIVITY = b"event: activity\ndata: {}\n\n"
BEAT = b":\n"  # without a blank line, which some clients take for an empty event


def encode_sse_event(row: EventRow) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (row.seq, encode_json(row))


def encode_changes(rows: Sequence[EventRow]) -> bytes:
    """Several events as a page is told of them."""
    announced = [row for row in rows if row.kind in ANNOUNCED]
    data = encode_json({"seq": rows[-1].seq, "topics": topics_of(rows), "events": announced})
    return b"id: %d\nevent: changes\ndata: %b\n\n" % (rows[-1].seq, data)


def encode_ready_event(cursor: int, newest_seq: int) -> bytes:
    """The id is where a client that loses the connection before the first event goes on."""
    data = encode_json({"seq": newest_seq})
    return b"retry: %d\nid: %d\nevent: ready\ndata: %b\n\n" % (RETRY_MS, cursor, data)


def encode_cursor_update(cursor: int) -> bytes:
    """Nothing for this reader up to here: a client that comes back need not begin before it."""
    return b"id: %d\n\n" % cursor


def encode_end_event(reason: str) -> bytes:
    return b"event: end\ndata: %b\n\n" % encode_json({"reason": reason})
