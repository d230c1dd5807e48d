"""`/mcp` as a raw ASGI application: one POST, one message, one response, no state in between.

Raw because it is the hot path: routing it through Starlette costs as much as the rest of this layer.
"""

import logging

import msgspec
from starlette.types import Receive, Scope, Send

from pendesk.domain.access import Actor
from pendesk.domain.errors import Refusal
from pendesk.transports.authenticate import Authenticator
from pendesk.transports.call_origin import NO_META, MetaOrigin, clean_text, read_call_origin
from pendesk.transports.mcp.hooks import Hooks, is_hook_call
from pendesk.transports.mcp.messages import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    Message,
    ProtocolError,
    RequestMeta,
    decode_message,
    encode_error,
    encode_result,
)
from pendesk.transports.mcp.methods import NO_PARAMS, McpCall, run_method
from pendesk.transports.mcp.tool_uses import ToolUses
from pendesk.transports.mcp.tools import Toolbox
from pendesk.transports.mcp.versions import uses_stateless_protocol
from pendesk.transports.problems import AsgiResponse, refusal_asgi_response
from pendesk.transports.service import Service

log = logging.getLogger("pendesk.mcp")

PATHS = ("/mcp", "/mcp/")
JSON = (b"content-type", b"application/json")
ALLOW = (b"allow", b"POST")
NO_STREAMS = ProtocolError(INVALID_REQUEST, "Only POST is supported: this server has no sessions or streams.")
INTERNAL = ProtocolError(INTERNAL_ERROR, "This is a fault of ours. Nothing was changed, so it is safe to try again.")

Headers = dict[bytes, bytes]


class McpEndpoint:
    def __init__(
        self, service: Service, authenticator: Authenticator, tools: Toolbox, hooks: Hooks, tool_uses: ToolUses
    ) -> None:
        self._dispatcher = service.dispatcher
        self._origin = service.installation.public_url
        self._scopes = service.settings.advertised_scopes
        self._authenticator = authenticator
        self._tools = tools
        self._hooks = hooks
        self._tool_uses = tool_uses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["pendesk.route"] = "/mcp"
        headers: Headers = dict(scope["headers"])
        try:
            actor = await self._authenticator.authenticate_uncounted(scope, headers, "mcp")
            if scope["method"] == "POST":
                status, body = await self._handle_message_to_status_and_body(headers, await _read_body(receive), actor)
                response = AsgiResponse(status, body, [])
            else:
                await self._authenticator.count_request_or_refuse(actor)
                response = AsgiResponse(405, encode_error(None, NO_STREAMS), [ALLOW])
        except Refusal as refusal:
            response = refusal_asgi_response(refusal, self._origin, self._scopes)
        length = (b"content-length", str(len(response.body)).encode())
        await send(
            {"type": "http.response.start", "status": response.status, "headers": [JSON, length, *response.headers]}
        )
        await send({"type": "http.response.body", "body": response.body})

    async def _handle_message_to_status_and_body(
        self, headers: Headers, body: bytes, actor: Actor
    ) -> tuple[int, bytes]:
        message_id: int | str | None = None
        try:
            message = await self._decode_and_count(body, actor)
            if isinstance(message.id, msgspec.UnsetType) or message.method is None:
                return 202, b""  # a notification, or a response to a request that we did not send
            message_id = message.id
            params = message.params or NO_PARAMS
            if is_hook_call(message):
                return 200, encode_result(message_id, await self._hooks.answer(actor, headers, params))
            if params.meta is not None and (meta := _meta_origin(params.meta)) != NO_META:
                actor = actor._replace(origin=read_call_origin(headers, await self._with_source(actor, meta)))
            call = McpCall(
                self._dispatcher,
                self._tools,
                actor,
                params,
                uses_stateless_protocol(message, headers),
            )
            return 200, encode_result(message_id, await run_method(call, message))
        except ProtocolError as error:
            return error.status, encode_error(message_id if error.message_id is None else error.message_id, error)
        except Refusal:
            raise
        except Exception:
            log.exception("an MCP request failed")
            return 500, encode_error(message_id, INTERNAL)

    async def _decode_and_count(self, body: bytes, actor: Actor) -> Message:
        """Hooks have a limit of their own; whatever else is sent, however malformed, counts."""
        try:
            message = decode_message(body)
        except ProtocolError:
            await self._authenticator.count_request_or_refuse(actor)
            raise
        if not is_hook_call(message):
            await self._authenticator.count_request_or_refuse(actor)
        return message

    async def _with_source(self, actor: Actor, meta: MetaOrigin) -> MetaOrigin:
        """With the session that a hook named for this call, where its client does not name one."""
        tool_use_id = clean_text(meta.tool_use_id)
        if meta.client_session is not None or not tool_use_id:
            return meta
        source = await self._tool_uses.find(actor.user_id, tool_use_id)
        return meta if source is None else meta._replace(client_session=source.client_session, thread=source.thread)


def _meta_origin(meta: RequestMeta) -> MetaOrigin:
    turn = meta.codex_turn if isinstance(meta.codex_turn, dict) else {}
    info = meta.client_info if isinstance(meta.client_info, dict) else {}
    return MetaOrigin(
        session=meta.session,
        client_session=meta.codex_session,
        thread=meta.codex_thread,
        tool_use_id=meta.claude_tool_use or meta.codex_call,
        client_name="codex" if turn else info.get("name"),
        model=turn.get("model"),
    )


async def _read_body(receive: Receive) -> bytes:
    """All of it; BodyLimit bounds its size."""
    message = await receive()
    if not message.get("more_body"):
        return message.get("body", b"")  # type: ignore[no-any-return]
    pieces = [message.get("body", b"")]
    while message.get("more_body"):
        message = await receive()
        pieces.append(message.get("body", b""))
    return b"".join(pieces)
