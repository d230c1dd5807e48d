"""Two protocol eras on one endpoint: which one a request uses, and whether it uses it correctly.

Until 2025-11-25 a client starts with `initialize`. Since 2026-07-28 there is no such start: every request has its
version and capabilities in `params._meta`, and repeats in HTTP headers what routers read.
"""

import base64
import binascii
from collections.abc import Mapping

from pendesk.domain.limits import MESSAGE_ID_CHARS
from pendesk.transports.mcp.messages import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    UNSUPPORTED_VERSION,
    Message,
    ProtocolError,
)

MODERN = "2026-07-28"
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26")
SUPPORTED = (MODERN, *LEGACY)
NAMED_METHODS = ("tools/call", "prompts/get")


def uses_stateless_protocol(message: Message, headers: Mapping[bytes, bytes]) -> bool:
    """True for a valid request of the stateless era; refuses one that contradicts itself."""
    meta = message.params.meta if message.params else None
    header = headers.get(b"mcp-protocol-version", b"").decode("latin-1")
    version = meta.version if meta else None
    if version is None and not _requires_stateless_protocol(message):
        if message.method == "initialize" or header in ("", *LEGACY):
            return False
        if header != MODERN:
            raise _unsupported_version_error(header)
    if meta is None or version is None or meta.capabilities is None:
        raise ProtocolError(
            INVALID_PARAMS,
            "params._meta needs protocolVersion and clientCapabilities, each under io.modelcontextprotocol/.",
        )
    if header != version:
        raise ProtocolError(HEADER_MISMATCH, "The MCP-Protocol-Version header must equal the version in params._meta.")
    if version != MODERN:
        raise _unsupported_version_error(version)
    _check_headers_match_message(message, headers)
    return True


def negotiate_version(requested: str | None) -> str:
    """The version that `initialize` returns: the client's if we support it, else our newest of that era."""
    return requested if requested in LEGACY else LEGACY[0]


def _requires_stateless_protocol(message: Message) -> bool:
    return message.method == "server/discover"


def _unsupported_version_error(requested: str) -> ProtocolError:
    return ProtocolError(
        UNSUPPORTED_VERSION,
        f"Protocol version {requested[:40]!r} is not supported.",
        data={"supported": list(SUPPORTED), "requested": requested[:MESSAGE_ID_CHARS]},
    )


def _check_headers_match_message(message: Message, headers: Mapping[bytes, bytes]) -> None:
    if _decode_header_value(headers.get(b"mcp-method")) != message.method:
        raise ProtocolError(HEADER_MISMATCH, "The Mcp-Method header must equal the method.")
    if message.method in NAMED_METHODS:
        name = message.params.name if message.params else None
        if _decode_header_value(headers.get(b"mcp-name")) != name:
            raise ProtocolError(HEADER_MISMATCH, "The Mcp-Name header must equal params.name.")


def _decode_header_value(value: bytes | None) -> str | None:
    """A header's text; a value that is not ASCII comes as `=?base64?...?=`."""
    if value is None:
        return None
    text = value.strip()
    if text.startswith(b"=?base64?") and text.endswith(b"?="):
        try:
            return base64.b64decode(text[9:-2], validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            return None
    return text.decode("latin-1")
