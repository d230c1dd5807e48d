"""The commit signal: after a commit that wrote events it wakes those of this process who wait for that workspace.

It may wake for nothing, and a signal that is lost costs only time: who is woken reads the log after their cursor. What
agent sessions do is in no log; who waits for that subscribes to `activity_topic` of a workspace, and reads it anew.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ACTIVITY = "+"  # one character: a notification has room for few


def activity_topic(workspace: str) -> str:
    return workspace + _ACTIVITY


class CommitSignal:
    def __init__(self) -> None:
        self.closed = False  # whoever waits is to leave
        self.forward: Callable[[str], None] | None = None  # tells other processes what this one has saved
        self._subscribers: dict[str, set[asyncio.Event]] = {}
        self._activity: Counter[str] = Counter()
        self._heard_since = secrets.token_hex(4)  # no other process counts from there

    def on_local_db_commit(self, workspace: str) -> None:
        """This process has saved something. On the path of every write, so it does next to nothing."""
        if workspace in self._subscribers:
            self.wake_subscribers(workspace)
        if self.forward is not None:
            self.forward(workspace)

    def on_local_activity(self, workspace: str) -> None:
        """This process has saved what agent sessions do."""
        self._activity[activity_topic(workspace)] += 1
        self.on_local_db_commit(activity_topic(workspace))

    def activity_mark(self, workspace: str) -> str:
        """Another one as soon as this process has heard that agent sessions did something."""
        return f"{self._heard_since}{self._activity[activity_topic(workspace)]}"

    def wake_subscribers(self, workspace: str) -> None:
        """Somebody, in this process or in another, has saved something."""
        if workspace.endswith(_ACTIVITY):
            self._activity[workspace] += 1
        for wakeup in self._subscribers.get(workspace, ()):
            wakeup.set()

    def wake_all_subscribers(self) -> None:
        self._heard_since = secrets.token_hex(4)  # nobody knows what was missed
        for workspace in self._subscribers:
            self.wake_subscribers(workspace)

    def close_and_wake_subscribers(self) -> None:
        """The server stops: everyone is woken for good."""
        self.closed = True
        self.wake_all_subscribers()

    @contextmanager
    def subscribe(self, workspace: str) -> Iterator[asyncio.Event]:
        """An event that is set by each signal; it begins set, because nobody knows what was before."""
        wakeup = asyncio.Event()
        wakeup.set()
        subscribers = self._subscribers.setdefault(workspace, set())
        subscribers.add(wakeup)
        try:
            yield wakeup
        finally:
            subscribers.discard(wakeup)
            if not subscribers:
                self._subscribers.pop(workspace, None)

    def subscribed_workspaces(self) -> list[str]:
        return [topic for topic in self._subscribers if not topic.endswith(_ACTIVITY)]

    def wake_activity_subscribers(self) -> None:
        self._heard_since = secrets.token_hex(4)
        for topic in self._subscribers:
            if topic.endswith(_ACTIVITY):
                self.wake_subscribers(topic)
