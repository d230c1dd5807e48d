"""The web server: uvicorn, with our deadlines, our logs and an end that finishes what is under way."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import HANDLED_SIGNALS

from pendesk.transports.deadlines import DeadlineProtocol

KEEP_ALIVE_S = 30
FINISH_S = 10


class Server(uvicorn.Server):
    def __init__(
        self,
        app: ASGIApp,
        started: Callable[[], None],
        stopping: Callable[[], None],
        *,
        behind_proxy: bool = False,
    ) -> None:
        """Only a proxy is believed when it names the caller's address: limits are counted by it."""
        super().__init__(
            uvicorn.Config(
                app,
                http=DeadlineProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=behind_proxy,
                timeout_keep_alive=KEEP_ALIVE_S,
                timeout_graceful_shutdown=FINISH_S,
            )
        )
        self._when_started = started
        self._when_stopping = stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._when_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._when_stopping()  # open streams would be waited for, and then cut off
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """uvicorn raises the signal again once it has stopped, which would end us before the store is closed."""
        handlers = {signal_number: signal.signal(signal_number, self.handle_exit) for signal_number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for signal_number, handler in handlers.items():
                signal.signal(signal_number, handler)


def increase_open_file_limit() -> None:
    """Each connection is an open file; the usual soft limit of 1,024 is soon reached."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
