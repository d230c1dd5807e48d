"""The one way out: asks an address that somebody else named, and cannot be turned on anything private.

So: a URL that is judged on its raw text, a name whose every address may be reached, a connection to the very address
that was checked (a second look-up could answer otherwise), no redirects, a few seconds in all, a bounded answer.
"""

import asyncio
import ipaddress
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import NamedTuple

import httptools

from pendesk.domain.limits import ADDRESS_CHECK_S, DOCUMENT_BYTES, DOCUMENT_S
from pendesk.domain.web_address import is_public_address

PORTS = {"http": 80, "https": 443}
HEAD_BYTES = 16_000
CHUNK_BYTES = 16_384
# No user name, no fragment, no blank: what remains is read alike by everybody.
_URL = re.compile(r"(https?)://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?(/[!-\"$-~]*)?\Z")
_HEADER = re.compile(r"[ -~]*\Z")
_NEAR = [
    ipaddress.ip_network(text)
    for text in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "::1/128", "fc00::/7")
]

Resolve = Callable[[str], Awaitable[list[str]]]
Allowed = Callable[[str, str], bool]  # by scheme and address


class Unfetchable(Exception):
    """Why there is no answer, in words for the person who waits."""


class NotAllowed(Unfetchable):
    """It was not even tried."""


class HttpResponse(NamedTuple):
    """The names of the headers are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


class _Target(NamedTuple):
    """A URL that may be asked. `host` as it was written; `addresses` are those of its name."""

    scheme: str
    host: str
    port: str | None
    path: str
    addresses: list[str]


def is_local_or_private(address: str) -> bool:
    """On this machine or in its network. Link-local is neither: there clouds keep their machines' credentials."""
    ip = ipaddress.ip_address(address)
    return any(ip in network for network in _NEAR)


def is_public_https(scheme: str, address: str) -> bool:
    return scheme == "https" and is_public_address(address)


def is_public_https_or_private(scheme: str, address: str) -> bool:
    """Without TLS only what is near: no secret of ours crosses the internet in the clear."""
    return is_public_https(scheme, address) or is_local_or_private(address)


def is_tls_or_loopback(scheme: str, address: str) -> bool:
    """For what the settings name: anywhere by TLS, on this machine without it too. Never link-local, as above.

    Unlike what a stranger names it may be reached through a translator of addresses (NAT64).
    """
    ip = ipaddress.ip_address(address)
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if scheme == "http":
        return ip.is_loopback
    return not (ip.is_link_local or ip.is_multicast or ip.is_unspecified)


async def resolve_host(host: str) -> list[str]:
    entries = await asyncio.get_running_loop().getaddrinfo(host, None, type=1)
    return [str(socket_address[0]) for *_, socket_address in entries]


@cache
def _default_tls() -> ssl.SSLContext:
    return ssl.create_default_context()


class Fetcher:
    def __init__(
        self,
        resolve: Resolve = resolve_host,
        allowed: Allowed = is_public_https,
        tls: ssl.SSLContext | None = None,
        port: int | None = None,
        timeout_s: float = DOCUMENT_S,
        max_bytes: int = DOCUMENT_BYTES,
    ) -> None:
        self._resolve = resolve
        self._allowed = allowed
        self._tls = tls
        self._port = port
        self._within_s = timeout_s
        self._max_bytes = max_bytes

    async def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes = b"", max_bytes: int | None = None
    ) -> HttpResponse:
        """The answer, whatever its status. What comes back was written by a stranger."""
        try:
            async with asyncio.timeout(self._within_s):
                return await self._send_without_timeout(method, url, headers, body, max_bytes or self._max_bytes)
        except TimeoutError:
            raise Unfetchable("its address did not answer in time") from None
        except (OSError, httptools.HttpParserError, asyncio.IncompleteReadError):
            raise Unfetchable("its address could not be reached") from None

    async def check_allowed(self, url: str) -> None:
        """Raises NotAllowed as `send` would. A name that leads nowhere now may lead somewhere later."""
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(ADDRESS_CHECK_S):
                await self._resolve_target(url)

    async def fetch_json_bytes(self, url: str) -> bytes:
        """The bytes of a JSON document."""
        answer = await self.send("GET", url, {"Accept": "application/json"})
        if answer.status != 200:
            raise Unfetchable(f"its address answered {answer.status}")
        if not is_uncompressed_json(answer):
            raise Unfetchable("its address does not answer with plain JSON")
        return answer.body

    async def _send_without_timeout(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, max_bytes: int
    ) -> HttpResponse:
        scheme, host, port, path, addresses = await self._resolve_target(url)
        tls = (self._tls or _default_tls()) if scheme == "https" else None
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {host}:{port}" if port else f"Host: {host}",
            "User-Agent: Pendesk",
            "Connection: close",
            *_header_lines_with_content_length(headers, body),
        ]
        reader, writer = await _connect_to_first_reachable(
            addresses, self._port or int(port or PORTS[scheme]), tls, host.strip("[]")
        )
        try:
            writer.write("\r\n".join([*lines, "", ""]).encode("ascii") + body)
            return await _read_response(reader, max_bytes)
        finally:
            writer.transport.abort()

    async def _resolve_target(self, url: str) -> _Target:
        match = _URL.match(url)
        if match is None:
            raise NotAllowed("its address is not a plain http(s) URL")
        scheme, host, port, path = match.groups()
        addresses = await self._resolve(host.strip("[]"))
        if not addresses or not all(self._allowed(scheme, address) for address in addresses):
            raise NotAllowed("its address is not a public one")
        return _Target(scheme, host, port, path or "/", addresses)


def is_uncompressed_json(response: HttpResponse) -> bool:
    media_type = response.headers.get("content-type", "").split(";")[0].strip().lower()
    return media_type == "application/json" and "content-encoding" not in response.headers


def _header_lines_with_content_length(headers: Mapping[str, str], body: bytes) -> list[str]:
    fields = {**headers, **({"Content-Length": str(len(body))} if body else {})}
    if not all(_HEADER.match(value) for value in fields.values()):
        raise ValueError("a header that would break the request")
    return [f"{name}: {value}" for name, value in fields.items()]


async def _connect_to_first_reachable(
    addresses: list[str], port: int, tls: ssl.SSLContext | None, host: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """To the first that answers: a name may have an address of a kind that this machine has no way to."""
    server_hostname = host if tls else None
    for address in addresses[:-1]:
        try:
            return await asyncio.open_connection(address, port, ssl=tls, server_hostname=server_hostname)
        except ssl.SSLError:
            raise
        except OSError:
            continue
    return await asyncio.open_connection(addresses[-1], port, ssl=tls, server_hostname=server_hostname)


async def _read_response(reader: asyncio.StreamReader, max_bytes: int) -> HttpResponse:
    response = _ResponseCollector()
    parser = httptools.HttpResponseParser(response)
    received = 0
    while not response.complete:
        chunk = await reader.read(CHUNK_BYTES)
        received += len(chunk)
        if received > max_bytes + HEAD_BYTES or len(response.body) > max_bytes:
            raise Unfetchable("its answer is too long")
        if not chunk:
            break
        parser.feed_data(chunk)
    if len(response.body) > max_bytes:
        raise Unfetchable("its answer is too long")
    sized = response.headers.keys() & {"content-length", "transfer-encoding"}
    if not response.headed or (sized and not response.complete):
        raise Unfetchable("its address broke off")
    return HttpResponse(parser.get_status_code(), response.headers, bytes(response.body))


class _ResponseCollector:
    """What the parser has read so far."""

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
