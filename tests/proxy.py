"""A small TCP proxy in front of a server, to lose what a test wants lost."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self


class Proxy:
    """Passes bytes on. `lose_answer_to` cuts the connection where the answer to those bytes would come back.

    `lead_to` is a failover as clients of one address see it: what is open is cut, what comes next goes elsewhere.
    """

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = [self._listener]
        self._threads: list[threading.Thread] = []
        self.port: int = self._listener.getsockname()[1]
        self.lose_answer_to: bytes | None = None
        self.lost = 0

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in self._sockets:
            _close(each)
        for thread in self._threads:
            thread.join(10)

    def lead_to(self, port: int) -> None:
        self._server = (self._server[0], port)
        for each in self._sockets[1:]:
            _close(each)

    def _start(self, run, *args) -> None:
        thread = threading.Thread(target=run, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._server)
                self._sockets += [client, server]
                losing = threading.Event()
                self._start(self._forth, client, server, losing)
                self._start(self._back, client, server, losing)

    def _forth(self, client: socket.socket, server: socket.socket, losing: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(1 << 16):
                if self.lose_answer_to is not None and self.lose_answer_to in data:
                    self.lose_answer_to = None
                    losing.set()
                server.sendall(data)
        _close(server)

    def _back(self, client: socket.socket, server: socket.socket, losing: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                if losing.is_set():
                    self.lost += 1
                    break
                client.sendall(data)
        _close(client)
        _close(server)


def _close(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
