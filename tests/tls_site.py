"""A TLS site on this machine, for what goes out to be tested against."""

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pendesk.transports.fetch import Fetcher


def make_certificate(folder: Path) -> Path:
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=client.example"]
    command += ["-addext", "subjectAltName=DNS:client.example", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


@asynccontextmanager
async def site(certificate: Path, answer: Any) -> AsyncIterator[tuple[Fetcher, list[bytes]]]:
    """A TLS site that answers every request with these bytes; gives a fetcher that may reach it, and its requests."""
    requests: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            requests.append(await reader.readuntil(b"\r\n\r\n"))
            if callable(answer):
                await answer(writer)
            else:
                writer.write(answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):  # the fetcher hung up
            pass
        finally:
            writer.close()

    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=own)
    trusting = ssl.create_default_context(cafile=str(certificate / "cert.pem"))
    port = server.sockets[0].getsockname()[1]

    async def resolve(host: str) -> list[str]:
        return {"client.example": ["127.0.0.1"], "other.example": ["127.0.0.1"]}[host]

    yield Fetcher(resolve, lambda _scheme, _address: True, trusting, port, timeout_s=0.8), requests
    server.close()


def http(body: bytes, status: str = "200 OK", media_type: str = "application/json", extra: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\n{extra}\r\n"
    return head.encode() + body
