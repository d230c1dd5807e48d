"""Fetches a client's description from its own address, and cannot be turned on anything private.

The address comes from a stranger. So: https on its usual port, a name whose every address is public, a connection to
the very address that was checked (a second look-up could answer otherwise), no redirects, five seconds in all, a
bounded answer, JSON only.
"""

import asyncio
import ipaddress
import ssl
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import httptools

from pendesk.domain.limits import DOCUMENT_BYTES, DOCUMENT_S

HTTPS_PORT = 443
HEAD_BYTES = 16_000
CHUNK_BYTES = 16_384
_GLOBAL_IPV6 = ipaddress.ip_network("2000::/3")
# Ways to write an IPv4 address in IPv6: what they lead to is not seen by looking at them.
_TUNNELS = [ipaddress.ip_network(text) for text in ("2002::/16", "2001::/32", "64:ff9b::/96")]

Resolve = Callable[[str], Awaitable[list[str]]]


class Unfetchable(Exception):
    """Why the description could not be had, in words for the person who waits."""


def is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    if not ip.is_global or ip.is_multicast or ip.is_reserved or ip.is_unspecified:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        return ip in _GLOBAL_IPV6 and not any(ip in tunnel for tunnel in _TUNNELS)
    return True


async def look_up(host: str) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, HTTPS_PORT, type=1)
    return [str(each[4][0]) for each in found]


class Fetcher:
    def __init__(
        self,
        resolve: Resolve = look_up,
        allowed: Callable[[str], bool] = is_public,
        tls: ssl.SSLContext | None = None,
        port: int = HTTPS_PORT,
        within_s: float = DOCUMENT_S,
    ) -> None:
        self._resolve = resolve
        self._allowed = allowed
        self._tls = tls
        self._port = port
        self._within_s = within_s

    async def fetch(self, url: str) -> bytes:
        """The document's bytes. The url was checked by `oauth.is_document_url`."""
        try:
            async with asyncio.timeout(self._within_s):
                return await self._fetch(url)
        except TimeoutError:
            raise Unfetchable("its address did not answer in time") from None
        except (OSError, ssl.SSLError, httptools.HttpParserError, asyncio.IncompleteReadError):
            raise Unfetchable("its address could not be reached") from None

    async def _fetch(self, url: str) -> bytes:
        parts = urlsplit(url)
        host = parts.hostname or ""
        addresses = await self._resolve(host)
        if not addresses or not all(self._allowed(each) for each in addresses):
            raise Unfetchable("its address is not a public one")
        tls = self._tls or ssl.create_default_context()
        reader, writer = await asyncio.open_connection(addresses[0], self._port, ssl=tls, server_hostname=host)
        try:
            head = f"GET {parts.path} HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\nConnection: close\r\n\r\n"
            writer.write(head.encode("ascii"))
            return await _read(reader)
        finally:
            writer.transport.abort()


async def _read(reader: asyncio.StreamReader) -> bytes:
    answer = _Answer()
    parser = httptools.HttpResponseParser(answer)
    received = 0
    while not answer.complete:
        chunk = await reader.read(CHUNK_BYTES)
        received += len(chunk)
        if received > DOCUMENT_BYTES + HEAD_BYTES or len(answer.body) > DOCUMENT_BYTES:
            raise Unfetchable("its description is too long")
        if not chunk:
            break
        parser.feed_data(chunk)
        if answer.headed and parser.get_status_code() != 200:
            raise Unfetchable(f"its address answered {parser.get_status_code()}")
    if len(answer.body) > DOCUMENT_BYTES:
        raise Unfetchable("its description is too long")
    answer.check()
    return bytes(answer.body)


class _Answer:
    """What the parser tells."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.body = bytearray()
        self.headed = self.complete = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.headed = True

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.complete = True

    def check(self) -> None:
        media_type = self.headers.get("content-type", "").split(";")[0].strip().lower()
        sized: Any = self.headers.keys() & {"content-length", "transfer-encoding"}
        if not self.headed or (sized and not self.complete):
            raise Unfetchable("its address broke off")
        if media_type != "application/json" or "content-encoding" in self.headers:
            raise Unfetchable("its address does not answer with plain JSON")
