"""What the readers of one workspace were lately told: each event read once and written once for all of them.

A reader has no queue, only a number. Who is slow falls behind what is kept here and reads the log by itself; nobody
waits for it, and it misses nothing.
"""

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_visibility import PRIVATE_KINDS, Viewer
from pendesk.operations.timeline.list_events import EventRow
from pendesk.transports.live import wire

if TYPE_CHECKING:
    from pendesk.transports.live.reader import Reader

# Some seconds of a thousand agents. Who falls behind it reads the log alone, which costs the server far more.
RECENT_EVENTS = 5_000
RECENT_BYTES = 2 * 1024 * 1024
CHUNK_EVENTS = 100
CHUNK_CHANGES = 1_000  # in a combined message

_seq = attrgetter("row.seq")


class EncodedEvent(NamedTuple):
    """An event, and as it is sent alone."""

    row: EventRow
    block: bytes


class Chunk(NamedTuple):
    """What to send, the number that is then dealt with, and the last number that the client is told."""

    body: bytes
    cursor: int
    last_seq: int


class WorkspaceChannel:
    def __init__(self, cursor: int) -> None:
        """Everything up to `cursor` was before the first reader."""
        self.readers: set[Reader] = set()
        self.cursor = cursor
        self._floor = cursor  # everything after it is in `recent`
        self._recent: list[EncodedEvent] = []
        self._bytes = 0
        self._chunks: dict[tuple[int, EventFilter, Viewer | None, bool], Chunk] = {}

    def publish(self, rows: Sequence[EventRow]) -> None:
        for row in rows:
            written = EncodedEvent(row, wire.encode_sse_event(row))
            self._recent.append(written)
            self._bytes += len(written.block)
        self.cursor = rows[-1].seq
        self._chunks.clear()
        self._trim_recent_events()
        for reader in self.readers:
            reader.wake()

    def event_chunk_after(self, seq: int, event_filter: EventFilter, viewer: Viewer, as_changes: bool) -> Chunk | None:
        """What came after a number; None if that is no longer kept here."""
        if seq < self._floor:
            return None
        known = self._chunks.get((seq, event_filter, None, as_changes))
        known = known or self._chunks.get((seq, event_filter, viewer, as_changes))
        return known or self._build_chunk(seq, event_filter, viewer, as_changes)

    def _build_chunk(self, cursor: int, event_filter: EventFilter, viewer: Viewer, as_changes: bool) -> Chunk:
        first = bisect_right(self._recent, cursor, key=_seq)
        part = self._recent[first : first + (CHUNK_CHANGES if as_changes else CHUNK_EVENTS)]
        chosen = [written for written in part if _is_visible(written.row, viewer) and event_filter.matches(written.row)]
        if as_changes and chosen:
            body = wire.encode_changes([written.row for written in chosen])
        else:
            body = b"".join(written.block for written in chosen)
        chunk = Chunk(body, part[-1].row.seq if part else cursor, chosen[-1].row.seq if chosen else 0)
        # Where nothing is private everyone is told the same, so it is put together once.
        private = any(written.row.kind in PRIVATE_KINDS for written in part)
        self._chunks[cursor, event_filter, viewer if private else None, as_changes] = chunk
        return chunk

    def _trim_recent_events(self) -> None:
        extra = 0
        while len(self._recent) - extra > RECENT_EVENTS or self._bytes > RECENT_BYTES:
            self._bytes -= len(self._recent[extra].block)
            self._floor = self._recent[extra].row.seq
            extra += 1
        del self._recent[:extra]


def _is_visible(event: EventRow, viewer: Viewer) -> bool:
    return viewer.can_see_event(event.kind, event.actor_id, event.about_user_id)
