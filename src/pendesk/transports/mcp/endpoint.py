"""`/mcp` as a raw ASGI application: one POST, one message, one answer, nothing kept in between.

Raw because it is the hot path: routing it through Starlette costs as much as the rest of this layer.
"""

import logging

import msgspec
from starlette.types import Receive, Scope, Send

from pendesk.domain.access import Actor
from pendesk.domain.errors import Refusal
from pendesk.transports.authenticate import Gate
from pendesk.transports.mcp.messages import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    ProtocolError,
    read,
    write_error,
    write_result,
)
from pendesk.transports.mcp.methods import NOTHING, McpCall, answer
from pendesk.transports.mcp.tools import Toolbox
from pendesk.transports.mcp.versions import is_modern
from pendesk.transports.problems import Answer, answer_for
from pendesk.transports.service import Service

log = logging.getLogger("pendesk.mcp")

PATHS = ("/mcp", "/mcp/")
JSON = (b"content-type", b"application/json")
ALLOW = (b"allow", b"POST")
NO_STREAMS = ProtocolError(INVALID_REQUEST, "Only POST is served here: this server keeps no sessions or streams.")
FAULT = ProtocolError(INTERNAL_ERROR, "This is a fault of ours. Nothing was changed, so it is safe to try again.")

Headers = dict[bytes, bytes]


class McpEndpoint:
    def __init__(self, service: Service, gate: Gate, tools: Toolbox) -> None:
        self._dispatcher = service.dispatcher
        self._origin = service.installation.public_url
        self._scopes = service.settings.advertised_scopes
        self._gate = gate
        self._tools = tools

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["pendesk.route"] = "/mcp"
        headers: Headers = dict(scope["headers"])
        try:
            actor = await self._gate.admit(headers, "mcp")
            if scope["method"] == "POST":
                status, body = await self._answer(headers, await _read_body(receive), actor)
                told = Answer(status, body, [])
            else:
                told = Answer(405, write_error(None, NO_STREAMS), [ALLOW])
        except Refusal as refusal:
            told = answer_for(refusal, self._origin, self._scopes)
        length = (b"content-length", str(len(told.body)).encode())
        await send({"type": "http.response.start", "status": told.status, "headers": [JSON, length, *told.headers]})
        await send({"type": "http.response.body", "body": told.body})

    async def _answer(self, headers: Headers, body: bytes, actor: Actor) -> tuple[int, bytes]:
        message_id: int | str | None = None
        try:
            message = read(body)
            if isinstance(message.id, msgspec.UnsetType) or message.method is None:
                return 202, b""  # a notification, or an answer to a question we did not ask
            message_id = message.id
            call = McpCall(self._dispatcher, self._tools, actor, message.params or NOTHING, is_modern(message, headers))
            return 200, write_result(message_id, await answer(call, message))
        except ProtocolError as error:
            return error.status, write_error(message_id if error.message_id is None else error.message_id, error)
        except Refusal:
            raise
        except Exception:
            log.exception("a fault while answering an MCP request")
            return 500, write_error(message_id, FAULT)


async def _read_body(receive: Receive) -> bytes:
    """Whole; the layer around this one has bounded it."""
    message = await receive()
    if not message.get("more_body"):
        return message.get("body", b"")  # type: ignore[no-any-return]
    pieces = [message.get("body", b"")]
    while message.get("more_body"):
        message = await receive()
        pieces.append(message.get("body", b""))
    return b"".join(pieces)
