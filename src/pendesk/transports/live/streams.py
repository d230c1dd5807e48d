"""All open streams of this process: how many there may be, who reads for them, and whether they may still be open."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from pendesk.domain.access import Actor, server_actor
from pendesk.domain.errors import Refusal, TooManyRequests, Unavailable
from pendesk.domain.limits import STREAMS_PER_PROCESS, STREAMS_PER_USER
from pendesk.feed.commit_signal import CommitSignal, activity_topic
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.timeline.follow_events import Position
from pendesk.operations.timeline.list_events import Events
from pendesk.transports.live.caller import Caller, filter_still_authorized
from pendesk.transports.live.reader import Reader
from pendesk.transports.live.stream import WorkspaceChannel
from pendesk.transports.page_pace import PACE, SHORTEST_S

log = logging.getLogger("pendesk.live")

BEAT_S = 15.0
CHECK_S = 2.0  # a stream whose token was revoked is closed within 5 seconds
# Between two looks at a busy log, while pages wait for a second (and longer as they wait longer): what came meanwhile
# goes out together.
PAUSE_S = 0.1
ACTIVITY_PAUSE_S = 0.25  # a page that follows many sessions reads them anew no more often
AGAIN_S = 1.0
AT_ONCE = 2  # readers that read the log by themselves
# Kinds of events that may take rights away: these are checked before the event goes out.
RIGHTS = ("member.", "token.", "grant.", "session.", "user.")

RIGHTS_CHANGED = "rights_changed"
STOPPING = "stopping"
FAULT = "fault"


class Streams:
    def __init__(self, dispatcher: Dispatcher, signal: CommitSignal) -> None:
        self.beat_s, self.check_s = BEAT_S, CHECK_S
        self.per_user, self.per_process = STREAMS_PER_USER, STREAMS_PER_PROCESS
        self._dispatcher = dispatcher
        self._signal = signal
        self._open: Counter[tuple[str, str]] = Counter()
        self._channels: dict[str, WorkspaceChannel] = {}
        self._tasks: dict[str, list[asyncio.Task[None]]] = {}
        self._monitor_task: asyncio.Task[None] | None = None
        self._catching_up = asyncio.Semaphore(AT_ONCE)

    def count_open(self) -> int:
        return self._open.total()

    @contextmanager
    def reserve_slot(self, actor: Actor) -> Iterator[None]:
        """One of the streams that the user and this process may have."""
        user = (actor.workspace_id, actor.user_id)
        if self._signal.closed:
            raise Unavailable("The server is stopping. Connect again shortly.", retryAfter=1)
        if self._open[user] >= self.per_user:
            raise TooManyRequests(
                f"You have {self.per_user} streams open, which is the limit. Close one, or share one among your pages.",
                code="too_many_streams",
                retryAfter=10,
            )
        if self.count_open() >= self.per_process:
            raise Unavailable(
                "This server has as many streams open as it can. Try again shortly.",
                code="too_many_streams",
                retryAfter=10,
            )
        self._open[user] += 1
        try:
            yield
        finally:
            self._open[user] -= 1
            if not self._open[user]:
                del self._open[user]

    @contextmanager
    def open_reader(
        self, caller: Caller, log_end: Position, resume_after_seq: int | None, *, as_changes: bool
    ) -> Iterator[Reader]:
        """A reader among those of the same workspace."""
        own = caller.actor.workspace_id
        channel = self._channels.setdefault(own, WorkspaceChannel(log_end.seq))
        # A number beyond the end is of another log, say from before a restore: begin at the end.
        cursor = log_end.seq if resume_after_seq is None else min(resume_after_seq, log_end.seq)
        reader = Reader(caller, log_end.wanted, cursor, channel, as_changes=as_changes)
        channel.readers.add(reader)
        if self._signal.closed:
            reader.end(STOPPING)
        if own not in self._tasks:
            self._tasks[own] = [
                asyncio.create_task(self._publish_events_as_logged(channel, own)),
                asyncio.create_task(self._announce_activity(channel, own)),
            ]
        if self._monitor_task is None:
            self._monitor_task = asyncio.create_task(self._heartbeat_and_recheck_readers())
        try:
            yield reader
        finally:
            channel.readers.discard(reader)
            if not channel.readers:
                del self._channels[own]
                for task in self._tasks.pop(own):
                    task.cancel()
            if not self._channels and self._monitor_task is not None:
                self._monitor_task.cancel()
                self._monitor_task = None

    async def read_events_after_cursor(self, reader: Reader) -> Events:
        """A page for one who is behind. Few at once: a crowd that comes back must not keep everyone else waiting."""
        async with self._catching_up:
            await asyncio.sleep(0)
            event_filter = reader.event_filter
            return await self._list_events(
                reader.caller.actor,
                reader.cursor,
                project_id=event_filter.project_id,
                action_pid=event_filter.action_id,
            )

    async def _list_events(self, actor: Actor, after_seq: int, **names: str) -> Events:
        arguments = {name: value for name, value in names.items() if value}
        page = await self._dispatcher.call(actor, "list_events", {"after": after_seq, **arguments})
        assert isinstance(page, Events)
        return page

    async def _publish_events_as_logged(self, channel: WorkspaceChannel, workspace_id: str) -> None:
        with self._signal.subscribe(workspace_id) as wakeup:
            while True:
                await wakeup.wait()
                wakeup.clear()
                if self._signal.closed:
                    self._end_readers(channel, STOPPING)
                    continue
                try:
                    await self._publish_new_events(channel, workspace_id)
                except Refusal as refusal:
                    log.warning("the log cannot be read for its followers: %s", refusal.message)
                    wakeup.set()
                    await asyncio.sleep(AGAIN_S)
                except Exception:
                    log.exception("a fault while reading the log for its followers")
                    self._end_readers(channel, FAULT)
                await asyncio.sleep(PAUSE_S * PACE.pause_s() / SHORTEST_S)

    async def _announce_activity(self, channel: WorkspaceChannel, workspace_id: str) -> None:
        with self._signal.subscribe(activity_topic(workspace_id)) as wakeup:
            wakeup.clear()  # a page that connects has just been rendered
            while True:
                await wakeup.wait()
                wakeup.clear()
                for reader in channel.readers if not self._signal.closed else ():
                    reader.schedule_activity()
                await asyncio.sleep(ACTIVITY_PAUSE_S)

    async def _publish_new_events(self, channel: WorkspaceChannel, workspace_id: str) -> None:
        """Read once for all of them, so with the server's own eyes: what each may see is chosen when it is told."""
        more = True
        while more and channel.readers:
            page = await self._list_events(server_actor(workspace_id), channel.cursor)
            if any(row.kind.startswith(RIGHTS) for row in page.events):
                await self._end_unauthorized_readers()
            if page.events:
                channel.publish(page.events)
            more = page.next_cursor is not None

    async def _heartbeat_and_recheck_readers(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self.check_s)
            due = loop.time() - self.beat_s + self.check_s
            for reader in self._all_readers():
                if reader.sent_at <= due:
                    reader.schedule_heartbeat()
            try:
                await self._end_unauthorized_readers()
            except Refusal as refusal:  # then no event can be read either, and none goes out
                log.warning("the rights of open streams cannot be checked: %s", refusal.message)
            except Exception:
                log.exception("a fault while checking the rights of open streams")
                for channel in list(self._channels.values()):
                    self._end_readers(channel, FAULT)

    async def _end_unauthorized_readers(self) -> None:
        readers = self._all_readers()
        good = await filter_still_authorized(self._dispatcher, [reader.caller for reader in readers])
        for reader in readers:
            if reader.caller not in good:
                reader.end(RIGHTS_CHANGED)

    def _all_readers(self) -> list[Reader]:
        return [reader for channel in self._channels.values() for reader in channel.readers]

    def _end_readers(self, channel: WorkspaceChannel, reason: str) -> None:
        for reader in channel.readers:
            reader.end(reason)
