"""One open stream."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import Send

from pendesk.domain.errors import Refusal
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_visibility import viewer_of
from pendesk.operations.timeline.list_events import Events
from pendesk.transports.live import wire
from pendesk.transports.live.caller import Caller
from pendesk.transports.live.stream import WorkspaceChannel

GONE = "gone"
UNAVAILABLE = "unavailable"

ReadLog = Callable[["Reader"], Awaitable[Events]]


class Reader:
    __slots__ = (
        "_activity_due",
        "_heartbeat_due",
        "_last_sent",
        "_viewer",
        "_waiting",
        "as_changes",
        "caller",
        "channel",
        "cursor",
        "end_reason",
        "event_filter",
        "sent_at",
    )

    def __init__(
        self, caller: Caller, event_filter: EventFilter, cursor: int, channel: WorkspaceChannel, *, as_changes: bool
    ) -> None:
        """`as_changes`: in combined messages, by the records that changed."""
        self.caller = caller
        self.as_changes = as_changes
        self.event_filter = event_filter
        self._viewer = viewer_of(caller.actor)
        self.cursor = cursor  # everything up to it is dealt with
        self.channel = channel
        self.end_reason: str | None = None  # why, once it has
        self.sent_at = 0.0
        self._last_sent = cursor  # the last number that the client knows
        self._heartbeat_due = False
        self._activity_due = False
        self._waiting: asyncio.Future[None] | None = None

    def wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def schedule_heartbeat(self) -> None:
        """Show that the stream is alive."""
        self._heartbeat_due = True
        self.wake()

    def schedule_activity(self) -> None:
        """What agent sessions do has changed. A filtered stream is about something else."""
        if self.event_filter == EventFilter():
            self._activity_due = True
            self.wake()

    def end(self, reason: str) -> None:
        if self.end_reason is None:
            self.end_reason = reason
            self.wake()

    async def run(self, send: Send, newest_seq: int, read_events_after_cursor: ReadLog) -> None:
        """Until it is ended. A client that does not read holds this up, and only this; in the end it is cut off."""
        await self._send_chunk(send, wire.encode_ready_event(self.cursor, newest_seq))
        while self.end_reason is None:
            chunk = self.channel.event_chunk_after(self.cursor, self.event_filter, self._viewer, self.as_changes)
            if chunk is None:
                await self._send_page_from_log(send, read_events_after_cursor)
            elif chunk.cursor > self.cursor:
                self.cursor = chunk.cursor
                await self._send_chunk(send, chunk.body, chunk.last_seq)
            elif self._activity_due:
                self._activity_due = False
                await self._send_chunk(send, wire.ACTIVITY)
            elif self._heartbeat_due:
                await self._send_chunk(
                    send,
                    wire.encode_cursor_update(self.cursor) if self.cursor > self._last_sent else wire.BEAT,
                    self.cursor,
                )
            else:
                await self._wait_until_woken()
        if self.end_reason != GONE:
            await send({"type": "http.response.body", "body": wire.encode_end_event(self.end_reason)})

    async def _send_page_from_log(self, send: Send, read_events_after_cursor: ReadLog) -> None:
        """Read a page of the log itself. The channel's number first: what the page then lacks up to it is not there."""
        channel_at = self.channel.cursor
        try:
            page = await read_events_after_cursor(self)
        except Refusal:
            return self.end(UNAVAILABLE)  # the client comes back, and begins where it was
        last = page.events[-1].seq if page.events else 0
        self.cursor = page.next_cursor or max(channel_at, last)
        chosen = [row for row in page.events if self.event_filter.matches(row)]
        if not chosen:
            return
        body = wire.encode_changes(chosen) if self.as_changes else b"".join(map(wire.encode_sse_event, chosen))
        await self._send_chunk(send, body, chosen[-1].seq)

    async def _wait_until_woken(self) -> None:
        self._waiting = asyncio.get_running_loop().create_future()
        try:
            await self._waiting
        finally:
            self._waiting = None

    async def _send_chunk(self, send: Send, body: bytes, last_event_seq: int = 0) -> None:
        if not body:
            return
        self._heartbeat_due = False
        self._last_sent = max(self._last_sent, last_event_seq)
        self.sent_at = asyncio.get_running_loop().time()
        message: dict[str, Any] = {"type": "http.response.body", "body": body, "more_body": True}
        await send(message)
