"""The stream of events, line by line, and where to resume after the connection was lost."""

from collections.abc import Iterator

import msgspec

from pendesk_client.errors import Unreachable
from pendesk_client.models import EventRow

EVENTS_PATH = "/api/v1/events"
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0
MAX_LOST_CONNECTIONS = 8  # in a row, without an event in between


class EventStream:
    """What was read so far: the number of the last event, and the lines of the next."""

    def __init__(self, after: int | None, **filters: str | list[str] | None) -> None:
        self.query = {name: value for name, value in filters.items() if value is not None}
        self.last_id = after
        self.pause_s = FIRST_PAUSE_S
        self._lost_connections = 0
        self.reset()

    def reset(self) -> None:
        """Forget half an event of the connection before: the server sends it again."""
        self._next_id = self.last_id
        self._kind = ""
        self._data: list[str] = []

    def feed(self, line: str) -> Iterator[EventRow]:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id" and value.isdecimal():
            self._next_id = int(value)
        elif name == "event":
            self._kind = value
        elif name == "data":
            self._data.append(value)
        elif not line:
            yield from self._end_of_event()

    def _end_of_event(self) -> Iterator[EventRow]:
        kind, data = self._kind, "\n".join(self._data)
        self.last_id = self._next_id
        self.reset()
        self._lost_connections, self.pause_s = 0, FIRST_PAUSE_S
        if data and not kind:
            yield msgspec.json.decode(data.encode(), type=EventRow)

    def connection_lost(self, error: Unreachable) -> None:
        self._lost_connections += 1
        self.pause_s = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**self._lost_connections)
        if self._lost_connections >= MAX_LOST_CONNECTIONS:
            raise error

    def headers(self) -> dict[str, str]:
        resume = {"Last-Event-ID": str(self.last_id)} if self.last_id is not None else {}
        return {"Accept": "text/event-stream", **resume}
