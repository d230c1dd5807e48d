"""The methods of the protocol, each a function from a call to a result."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec

from pendesk import __version__
from pendesk.domain.access import Actor
from pendesk.domain.errors import MissingScope, Refusal
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.nearest_names import nearest_names
from pendesk.operations.truncate import truncate_json_to_token_limit
from pendesk.transports.mcp import elicitation
from pendesk.transports.mcp.hidden_marks import mark_hidden_in_json
from pendesk.transports.mcp.messages import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Message,
    Params,
    ProtocolError,
    encode,
)
from pendesk.transports.mcp.prompts import instructions_for_scopes
from pendesk.transports.mcp.tools import Toolbox
from pendesk.transports.mcp.versions import SUPPORTED, negotiate_version
from pendesk.transports.problems import refusal_or_internal_error_body

log = logging.getLogger("pendesk.mcp")

SERVER = {"name": "pendesk", "title": "Pendesk", "version": __version__}
CAPABILITIES = {"tools": {"listChanged": False}, "prompts": {"listChanged": False}}
# How long a client may cache a list: it changes only with the token's scopes or a new version of the server.
CACHE_HINTS = {"ttlMs": 300_000, "cacheScope": "private"}
NO_PARAMS = Params()


class McpCall(NamedTuple):
    dispatcher: Dispatcher
    tools: Toolbox
    actor: Actor
    params: Params
    stateless: bool


async def run_method(call: McpCall, message: Message) -> Any:
    method = METHODS.get(message.method or "")
    eras = ERAS.get(message.method or "", (True, False))
    if method is None or call.stateless not in eras:
        status = 404 if call.stateless else 200
        raise ProtocolError(METHOD_NOT_FOUND, f"There is no method {(message.method or '')[:80]!r}.", status=status)
    result = await method(call)
    if call.stateless and isinstance(result, dict):
        result.setdefault("resultType", "complete")
    return result


async def initialize(call: McpCall) -> dict[str, Any]:
    return {
        "protocolVersion": negotiate_version(call.params.protocol_version),
        "capabilities": CAPABILITIES,
        "serverInfo": SERVER,
        "instructions": instructions_for_scopes(call.actor.scopes),
    }


async def ping(call: McpCall) -> dict[str, Any]:
    return {}


async def describe_server(call: McpCall) -> dict[str, Any]:
    return {
        "supportedVersions": list(SUPPORTED),
        "capabilities": CAPABILITIES,
        "instructions": instructions_for_scopes(call.actor.scopes),
        "_meta": {"io.modelcontextprotocol/serverInfo": SERVER},
        **CACHE_HINTS,
    }


async def list_tools(call: McpCall) -> dict[str, Any]:
    return {
        "tools": call.tools.tool_descriptions_for_scopes(call.actor.scopes),
        **(CACHE_HINTS if call.stateless else {}),
    }


async def list_prompts(call: McpCall) -> dict[str, Any]:
    return {
        "prompts": [prompt.describe() for prompt in call.tools.prompts.values()],
        **(CACHE_HINTS if call.stateless else {}),
    }


async def get_prompt(call: McpCall) -> dict[str, Any]:
    prompt = call.tools.prompts.get(call.params.name or "")
    if prompt is None:
        raise _unknown_name_error("prompt", call.params.name or "", list(call.tools.prompts))
    return prompt.render(_parse_prompt_arguments(call.params.arguments))


def _parse_prompt_arguments(raw: msgspec.Raw) -> dict[str, str]:
    try:
        return msgspec.json.decode(raw, type=dict[str, str])
    except msgspec.ValidationError:
        raise ProtocolError(INVALID_PARAMS, "A prompt's arguments must be an object of strings.", status=200) from None


async def call_tool(call: McpCall) -> Any:
    operation = call.tools.find_operation(call.params.name or "")
    if operation is None:
        raise _unknown_name_error("tool", call.params.name or "", call.tools.names_for_scopes(call.actor.scopes))
    if operation.scope not in call.actor.scopes:
        raise MissingScope(operation.scope)
    arguments = bytes(call.params.arguments)
    try:
        output = await elicitation.resume_tool_call_with_user_input(call, operation.name)
        if output is None:
            output = await call.dispatcher.call(call.actor, operation.name, arguments)
    except Refusal as refusal:
        # Fewer than the dispatcher has: not every operation is a tool.
        refusal.fit_advice_to_tools(
            lambda tool: call.tools.find_operation(tool) is not None and call.dispatcher.may_call(call.actor, tool)
        )
        return _tool_result(_readable_by_agent(refusal_or_internal_error_body(refusal)), is_error=True)
    except ProtocolError:
        raise
    except Exception:
        log.exception("operation failed", extra={"operation": operation.name})
        return _tool_result(encode(refusal_or_internal_error_body(None)), is_error=True)
    return elicitation.build_input_required_result(call, operation.name, output) or _tool_result(
        _readable_by_agent(output), is_error=False
    )


def _unknown_name_error(kind: str, name: str, names: list[str]) -> ProtocolError:
    near = nearest_names(name, names)
    advice = f"Nearest: {', '.join(near)}." if near else f"{kind}s/list shows yours."
    return ProtocolError(INVALID_PARAMS, f"There is no {kind} {name[:80]!r}. {advice}", status=200)


class _Text(msgspec.Struct):
    text: str
    type: str = "text"


class _ToolResult(msgspec.Struct, rename="camel"):
    content: list[_Text]
    structured_content: msgspec.Raw
    is_error: bool
    # Older clients ignore a field they do not know.
    result_type: str = "complete"


def _readable_by_agent(answer: Any) -> bytes:
    return truncate_json_to_token_limit(mark_hidden_in_json(encode(answer)))


def _tool_result(structured_json: bytes, *, is_error: bool) -> _ToolResult:
    return _ToolResult([_Text(structured_json.decode())], msgspec.Raw(structured_json), is_error)


METHODS: dict[str, Callable[[McpCall], Awaitable[Any]]] = {
    "initialize": initialize,
    "ping": ping,
    "server/discover": describe_server,
    "tools/list": list_tools,
    "tools/call": call_tool,
    "prompts/list": list_prompts,
    "prompts/get": get_prompt,
}

# Methods that only one era has: True is the stateless one.
ERAS = {"initialize": (False,), "ping": (False,), "server/discover": (True,)}
