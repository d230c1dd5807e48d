"""uvicorn's HTTP protocol with what it lacks: deadlines for reading, and limits on the head of a request.

A client has 10 seconds for the request line and headers, and 30 for the body (anew for each megabyte), however
slowly it drips; then it is answered and cut off. So is one that does not read its answer, and one whose machine no
longer confirms what it is sent: nobody says goodbye when a laptop closes. Who is answered before the body has come
may go on sending for a while, since a connection that is reset takes the answer with it: most clients send all of it
before they read.
"""

import asyncio
import re
import socket
from contextlib import suppress
from typing import Any, Literal

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pendesk.operations.operation import encode_json
from pendesk.transports.problems import error_body

HEAD_S = 10.0
BODY_S = 30.0
BODY_STEP_BYTES = 1_000_000
WRITE_S = 60.0  # how long an answer may wait for a client that does not read on
# A peer that is silent is asked for a sign of life after so long, and again so often; it is gone when it has confirmed
# nothing for the last time. Links that lose packets for a few seconds come back within it.
PROBE_AFTER_S = 5
PROBE_EVERY_S = 5
UNCONFIRMED_S = 20
LINGER_S = 5.0  # so long the rest of a body may pause,
LINGER_TOTAL_S = 30.0  # take in all,
LINGER_BYTES = 50_000_000  # and be
HEAD_BYTES = 32 * 1024
HEAD_FIELDS = 100
_ABSOLUTE_TARGET = re.compile(rb"https?://([A-Za-z0-9.:\[\]_-]+)/", re.IGNORECASE)


class DeadlineProtocol(HttpToolsProtocol):
    head_s = HEAD_S
    body_s = BODY_S

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._part: Literal["none", "head", "body"] = "none"
        self._part_bytes = 0
        self._cut = False
        self._left_bytes = 0
        self._lingers_until = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        notice_vanished_peer(transport.get_extra_info("socket"))
        self._set_deadline("head")  # a silent socket is cut off too

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_deadline("none")
        self._cancel_write_timeout()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._cut:
            self._discard_or_abort_over_limit(data)
            return
        if self._part == "none":
            self._set_deadline("head")
        part = self._part
        super().data_received(data)
        if part == "head" and self._part == "head":
            self._part_bytes += len(data)
            if self._part_bytes > HEAD_BYTES:
                self._send_error_and_close(431, "head_too_large", f"The headers are larger than {HEAD_BYTES} bytes.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._part == "none":  # the next of several requests in one packet
            self._set_deadline("head")

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > HEAD_BYTES or len(self.headers) > HEAD_FIELDS:
            self._send_error_and_close(431, "head_too_large", f"More than {HEAD_BYTES} bytes or {HEAD_FIELDS} headers.")
            return
        if not self.url.startswith(b"/") and not self._is_target_of_host():
            self._send_error_and_close(400, "bad_target", "Send the path alone, or the address that Host names.")
            return
        self._set_deadline("body")
        super().on_headers_complete()
        self.cycle.transport = _AnswerTransport(self)  # type: ignore[assignment]

    def on_body(self, body: bytes) -> None:
        if self._cut:
            return
        self._part_bytes += len(body)
        if self._part_bytes >= BODY_STEP_BYTES:
            if self.cycle.response_complete:  # answered without it, and still it comes
                self.half_close()
                return
            self._set_deadline("body")
        super().on_body(body)

    def _is_target_of_host(self) -> bool:
        """A whole address in the request line counts more than Host (RFC 9112): so the two must agree, since all that
        judges a request by its host reads the header.
        """
        target = _ABSOLUTE_TARGET.match(self.url)
        hosts = [value.lower() for name, value in self.headers if name == b"host"]
        return target is not None and hosts == [target[1].lower()]

    def close_after_answer(self) -> None:
        """The application's answer is the last one. What is left of its request is read first."""
        if self._part == "body" and not self._cut:
            self.half_close()
        else:
            self.transport.close()

    def half_close(self) -> None:
        """End our side; what still comes is read and dropped, until the other side has read the answer and ends too."""
        self._cut = True
        self._set_deadline("none")
        self._left_bytes = LINGER_BYTES
        self._lingers_until = self.loop.time() + LINGER_TOTAL_S
        self.flow.resume_reading()
        self.transport.write_eof()
        self._deadline = self.loop.call_later(LINGER_S, self.transport.abort)

    def _discard_or_abort_over_limit(self, data: bytes) -> None:
        self._left_bytes -= len(data)
        if self._left_bytes < 0:
            self.transport.abort()
        elif self._deadline is not None:
            self._deadline.cancel()
            self._deadline = self.loop.call_at(
                min(self.loop.time() + LINGER_S, self._lingers_until), self.transport.abort
            )

    def on_message_complete(self) -> None:
        if self._cut:
            return
        self._set_deadline("none")
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(WRITE_S, self.transport.abort)

    def resume_writing(self) -> None:
        self._cancel_write_timeout()
        super().resume_writing()

    def _cancel_write_timeout(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def send_400_response(self, msg: str) -> None:
        self._send_error_and_close(400, "bad_request", "This is not a request that HTTP allows.")

    def _set_deadline(self, awaited_part: Literal["none", "head", "body"]) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._part, self._part_bytes = awaited_part, 0
        if awaited_part != "none":
            self._deadline = self.loop.call_later(
                self.head_s if awaited_part == "head" else self.body_s, self._on_timeout
            )

    def _on_timeout(self) -> None:
        self._send_error_and_close(
            408, "too_slow", f"The request's {self._part} did not arrive in time. Send it again."
        )

    def _send_error_and_close(self, status: int, code: str, message: str) -> None:
        """Answer here, where no application is asked, unless the request has its answer, or it is on its way."""
        answered = self.cycle is not None and self.cycle.response_started
        if self._part == "head" and answered:
            answered = not self.cycle.response_complete  # that was the request before
        self._cut = True
        self._set_deadline("none")
        if self.transport.is_closing():
            return
        if not answered:
            body = encode_json(error_body(status, code, message))
            head = f"HTTP/1.1 {status} \r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
            self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()


def notice_vanished_peer(connection: socket.socket) -> None:
    """Have the system end a connection whose other side confirms nothing any more, instead of trying for a quarter of
    an hour. Each system knows some of these options.
    """
    options = {
        "TCP_KEEPIDLE": PROBE_AFTER_S,
        "TCP_KEEPALIVE": PROBE_AFTER_S,  # the same on macOS
        "TCP_KEEPINTVL": PROBE_EVERY_S,
        "TCP_KEEPCNT": (UNCONFIRMED_S - PROBE_AFTER_S) // PROBE_EVERY_S,
        "TCP_USER_TIMEOUT": UNCONFIRMED_S * 1000,  # probes alone end while something sent is not confirmed
    }
    with suppress(OSError):  # a socket of another kind, say of a file
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in options.items():
            if hasattr(socket, name):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class _AnswerTransport:
    """The connection as uvicorn sees it while it answers: closed too early, it would be reset and the answer lost."""

    def __init__(self, protocol: DeadlineProtocol) -> None:
        self.write = protocol.transport.write
        self.is_closing = protocol.transport.is_closing
        self.close = protocol.close_after_answer
