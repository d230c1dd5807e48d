"""The stream of events, line by line, and where to go on after a break."""

from collections.abc import Iterator

import msgspec

from pendesk.client.errors import Unreachable
from pendesk.client.models import EventRow

EVENTS = "/api/v1/events"
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0
BREAKS = 8  # in a row, without one event in between


class Events:
    """What was read so far: the number of the last event, and the one that is being read."""

    def __init__(self, after: int | None, **asked: str | list[str] | None) -> None:
        self.query = {name: value for name, value in asked.items() if value is not None}
        self.last = after
        self.pause_s = FIRST_PAUSE_S
        self._breaks = 0
        self.begin()

    def begin(self) -> None:
        """A new connection: half an event that came before is forgotten, and will come again."""
        self._coming = self.last
        self._kind = ""
        self._data: list[str] = []

    def read(self, line: str) -> Iterator[EventRow]:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id" and value.isdecimal():
            self._coming = int(value)
        elif name == "event":
            self._kind = value
        elif name == "data":
            self._data.append(value)
        elif not line:
            yield from self._whole()

    def _whole(self) -> Iterator[EventRow]:
        kind, data = self._kind, "\n".join(self._data)
        self.last = self._coming
        self.begin()
        self._breaks, self.pause_s = 0, FIRST_PAUSE_S
        if data and not kind:
            yield msgspec.json.decode(data.encode(), type=EventRow)

    def broke(self, problem: Unreachable) -> None:
        self._breaks += 1
        self.pause_s = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**self._breaks)
        if self._breaks >= BREAKS:
            raise problem


def stream_headers(events: Events) -> dict[str, str]:
    resumed = {"Last-Event-ID": str(events.last)} if events.last is not None else {}
    return {"Accept": "text/event-stream", **resumed}
