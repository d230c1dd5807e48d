"""LoopbackUri reverse proxy that adds an Authorization header for clients that cannot send one."""

from __future__ import annotations

import argparse
import http.client
import sys
from contextlib import closing, suppress
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import SplitResult, urlsplit

HOP_BY_HOP = {"connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade"}
NOT_RETURNED = HOP_BY_HOP | {"content-length", "transfer-encoding"}
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


class Handler(BaseHTTPRequestHandler):
    """Forwards one request and streams the answer back."""

    protocol_version = "HTTP/1.1"
    server: AuthProxy

    def forward(self) -> None:
        """Forward the request, with the proxy's own Authorization header if it has one."""
        self.close_connection = True
        if self.headers.get("Transfer-Encoding"):
            self.send_error(411, explain="authproxy needs a Content-Length")
            return
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else None
        self.server.record(self.path, self.headers, body)
        with closing(self.server.connect()) as upstream:
            try:
                self._send_upstream(upstream, body)
                response = upstream.getresponse()
            except (OSError, http.client.HTTPException) as error:
                self.send_error(502, explain=f"authproxy got no answer: {error!r}")
                return
            with suppress(OSError, http.client.HTTPException):  # one side hung up
                self._stream_back(response)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = forward

    def _send_upstream(self, upstream: http.client.HTTPConnection, body: bytes | None) -> None:
        """Send the request line, the headers and the body to the server."""
        path = self.server.target.path.rstrip("/") + self.path
        upstream.putrequest(self.command, path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() in ("host", "origin"):
                value = self.server.retarget(value)
            if name.lower() not in HOP_BY_HOP and not (name.lower() == "authorization" and self.server.token):
                upstream.putheader(name, value)
        if self.server.token:
            upstream.putheader("Authorization", f"Bearer {self.server.token}")
        upstream.endheaders(body)

    def _stream_back(self, response: http.client.HTTPResponse) -> None:
        """Send the answer to the client piece by piece, so that event streams work too."""
        self.send_response_only(response.status, response.reason)
        for name, value in response.getheaders():
            if name.lower() not in NOT_RETURNED:
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        while chunk := response.read1(65536):
            self.wfile.write(chunk)
            self.wfile.flush()

    def log_message(self, *args: Any) -> None:
        """Keep the standard request log quiet."""


class AuthProxy(ThreadingHTTPServer):
    """The loopback server in front of one target."""

    def __init__(self, port: int, target: str, token: str | None) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.target: SplitResult = urlsplit(target)
        self.token = token

    def record(self, path: str, headers: Message, body: bytes | None) -> None:
        """Look at a request before it is forwarded."""

    def connect(self) -> http.client.HTTPConnection:
        """Open a connection to the target."""
        secure = self.target.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        return kind(self.target.hostname or "", self.target.port, timeout=60)

    def retarget(self, value: str) -> str:
        """Replace the proxy's own address in a Host or Origin by the target's, and no other one."""
        scheme, separator, address = value.rpartition("://")
        own = {f"{name}:{self.server_port}" for name in LOOPBACK_NAMES}
        return scheme + separator + self.target.netloc if address in own else value


def http_url(value: str) -> str:
    """Check that a command-line value is an http or https address."""
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise argparse.ArgumentTypeError(f"{value!r} is not an http(s) URL")
    return value


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("listen_port", type=int, help="loopback port to listen on")
    parser.add_argument("target_url", type=http_url, help="server, such as http://127.0.0.1:3847")
    parser.add_argument("--token", required=True, help="bearer token to add to every request")
    args = parser.parse_args()
    with AuthProxy(args.listen_port, args.target_url, args.token) as proxy:
        print(f"http://127.0.0.1:{proxy.server_port} -> {args.target_url}", file=sys.stderr)
        try:
            proxy.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
