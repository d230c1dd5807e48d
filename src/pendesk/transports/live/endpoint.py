"""`/api/v1/events` as a raw ASGI application: what is sent goes straight to the server's own send."""

import asyncio
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope, Send

from pendesk.domain.errors import BadField, Refusal
from pendesk.operations.text_input import add_arguments_from_text
from pendesk.operations.timeline.follow_events import FollowEvents, Position
from pendesk.transports.authenticate import Authenticator
from pendesk.transports.live.caller import authenticate_caller
from pendesk.transports.live.reader import GONE, Reader
from pendesk.transports.live.streams import Streams
from pendesk.transports.problems import http_error_response, refusal_response
from pendesk.transports.service import Service

PATH = "/api/v1/events"
HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx would hold events back otherwise
]
QUERY_FIELDS = 60
CHANGES = "changes"
NUMBER_CHARS = 16  # 2**53 has as many digits


class EventsEndpoint:
    def __init__(self, service: Service, authenticator: Authenticator) -> None:
        self._service = service
        self._authenticator = authenticator
        self.streams = Streams(service.dispatcher, service.feed.signal)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            await http_error_response(405, {"Allow": "GET"})(scope, receive, send)
            return
        try:
            await self._stream_events(scope, receive, send)
        except Refusal as refusal:
            service = self._service
            answer = refusal_response(refusal, service.installation.public_url, service.settings.advertised_scopes)
            await answer(scope, receive, send)

    async def _stream_events(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        caller = await authenticate_caller(self._service, self._authenticator, scope, headers)
        arguments = parse_query_arguments(scope["query_string"])
        after = parse_last_event_id(headers.get(b"last-event-id"), arguments.pop("after", None))
        as_changes = parse_as_changes(arguments.pop("as", None))
        with self.streams.reserve_slot(caller.actor):
            position = await self._service.dispatcher.call(caller.actor, "follow_events", arguments)
            assert isinstance(position, Position)
            with self.streams.open_reader(caller, position, after, as_changes=as_changes) as reader:
                await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
                watching = asyncio.create_task(_end_reader_on_disconnect(receive, reader))
                try:
                    await reader.run(send, position.seq, self.streams.read_events_after_cursor)
                finally:
                    watching.cancel()


async def _end_reader_on_disconnect(receive: Receive, reader: Reader) -> None:
    """Until the client hangs up."""
    try:
        while (await receive())["type"] != "http.disconnect":
            pass
    except Refusal:
        pass  # it sends a body that nobody asked for, and too much of it
    reader.end(GONE)


def parse_query_arguments(query: bytes) -> dict[str, Any]:
    """As the arguments of follow_events, `after` and `as`. What is not known is left for the dispatcher to refuse."""
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, max_num_fields=QUERY_FIELDS, errors="strict")
    except ValueError:
        raise BadField("", "The query cannot be read. Write it as name=value pairs, percent-encoded.") from None
    return add_arguments_from_text(FollowEvents, {}, pairs)


def parse_as_changes(form: str | None) -> bool:
    if form not in (None, CHANGES):
        raise BadField("as", f"can only be {CHANGES}. Leave it out for each event by itself.")
    return form == CHANGES


def parse_last_event_id(header: bytes | None, after_parameter: str | None) -> int | None:
    """A browser that comes back tells the last number it had in the header, which is newer than its address."""
    name, number = ("Last-Event-ID", header.decode("latin-1")) if header else ("after", after_parameter)
    if number is None:
        return None
    if not (number.isascii() and number.isdigit() and len(number) <= NUMBER_CHARS):
        raise BadField(name, "is not the number of an event; send the last id you have, or leave it out.")
    return int(number)
