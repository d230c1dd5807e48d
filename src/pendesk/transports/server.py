"""The web server: uvicorn, with our deadlines, our logs and an end that finishes what is under way."""

import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import HANDLED_SIGNALS

from pendesk.transports.deadlines import DeadlineProtocol

log = logging.getLogger("pendesk")

KEEP_ALIVE_S = 30
FINISH_S = 10
# They end a program that does not say otherwise; Windows has none of them.
NOT_TO_DIE_OF = ("SIGHUP", "SIGUSR1", "SIGUSR2")


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
        """uvicorn raises the signal again once it has stopped, which would end us before the store is closed.

        At a terminal SIGHUP says that it is gone, and stops the server as SIGTERM does; nohup has it ignored. A
        service hears it from tools that want logs reopened, which is no reason to stop.
        """
        others = [number for name in NOT_TO_DIE_OF if (number := getattr(signal, name, None)) is not None]
        wanted: dict[int, Any] = {
            **{number: _log_and_go_on for number in others if signal.getsignal(number) is not signal.SIG_IGN},
            **dict.fromkeys(HANDLED_SIGNALS, self.handle_exit),
        }
        if _has_terminal() and signal.SIGHUP in wanted:
            wanted[signal.SIGHUP] = self.handle_exit
        handlers = {number: signal.signal(number, handler) for number, handler in wanted.items()}
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)


def _has_terminal() -> bool:
    return os.name == "posix" and any(map(os.isatty, (0, 1, 2)))


def _log_and_go_on(number: int, _frame: object) -> None:
    log.warning("%s does nothing here; SIGTERM stops the server", signal.Signals(number).name)


def increase_open_file_limit() -> None:
    """Each connection is an open file; the usual soft limit of 1,024 is soon reached."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
