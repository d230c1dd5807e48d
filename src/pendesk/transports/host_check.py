"""Which Host a request may name.

A server that listens on this machine only is still reached by any web page through a name that resolves to
127.0.0.1 (DNS rebinding); so there the Host must be a loopback name, or the public URL's.
"""

import ipaddress
import re
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from pendesk.transports.problems import error_body, json_response

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?\Z")


class HostCheck:
    def __init__(self, app: ASGIApp, listens_on: str, public_url: str) -> None:
        self.app = app
        self.only_loopback = is_loopback(listens_on)
        self.public_host = urlsplit(public_url).hostname or ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        name = parse_host_header(hosts[0]) if len(hosts) == 1 else None
        if name is None:
            body = error_body(400, "bad_host", "Send exactly one valid Host header.")
        elif self.only_loopback and not is_loopback(name) and name != self.public_host:
            message = "This server does not go by that name. Use its own URL, or set PENDESK_PUBLIC_URL to this one."
            body = error_body(421, "misdirected", message)
        else:
            await self.app(scope, receive, send)
            return
        await json_response(body, body["error"]["status"])(scope, receive, send)


@lru_cache(maxsize=100)
def parse_host_header(header: bytes) -> str | None:
    match = _HOST.match(header.decode("latin-1").lower())
    return match[1].strip("[]") if match else None


@lru_cache(maxsize=100)
def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
