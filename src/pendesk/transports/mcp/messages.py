"""JSON-RPC messages of MCP: decoded strictly, encoded without waste."""

from typing import Any

import msgspec

from pendesk.domain.limits import MESSAGE_ID_CHARS, NAME_CHARS
from pendesk.operations.duplicate_keys import find_duplicate_key

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

encode = msgspec.json.Encoder().encode


NO_ARGUMENTS = msgspec.Raw(b"{}")


class RequestMeta(msgspec.Struct):
    """What a request says about its client, in `params._meta`: the first two in the stateless era, the others where
    a client tells its sessions apart. Those may hold anything; transports/call_origin.py reads them.
    """

    version: str | None = msgspec.field(default=None, name="io.modelcontextprotocol/protocolVersion")
    capabilities: dict[str, Any] | None = msgspec.field(default=None, name="io.modelcontextprotocol/clientCapabilities")
    client_info: Any = msgspec.field(default=None, name="io.modelcontextprotocol/clientInfo")
    session: Any = msgspec.field(default=None, name="pendesk/session")
    codex_session: Any = msgspec.field(default=None, name="sessionId")
    codex_thread: Any = msgspec.field(default=None, name="threadId")
    codex_call: Any = msgspec.field(default=None, name="callId")
    codex_turn: Any = msgspec.field(default=None, name="x-codex-turn-metadata")
    claude_tool_use: Any = msgspec.field(default=None, name="claudecode/toolUseId")


class Params(msgspec.Struct, rename="camel"):
    """The fields of all methods; a method checks those it needs."""

    meta: RequestMeta | None = msgspec.field(default=None, name="_meta")
    name: str | None = None
    arguments: msgspec.Raw = NO_ARGUMENTS
    protocol_version: str | None = None
    request_state: str | None = None
    input_responses: dict[str, Any] | None = None


class Message(msgspec.Struct):
    """A request (id and method), a notification (method) or a response (neither)."""

    jsonrpc: str
    id: int | str | msgspec.UnsetType = msgspec.UNSET
    method: str | None = None
    params: Params | None = None


class ProtocolError(Exception):
    """The message itself is wrong; becomes a JSON-RPC error."""

    def __init__(
        self,
        code: int,
        message: str,
        *,
        status: int = 400,
        data: Any = msgspec.UNSET,
        message_id: int | str | None = None,
    ) -> None:
        super().__init__(message)
        self.message_id = message_id
        self.code = code
        self.message = message
        self.status = status
        self.data = data


class _Error(msgspec.Struct):
    code: int
    message: str
    data: Any = msgspec.UNSET


class _ErrorMessage(msgspec.Struct):
    error: _Error
    id: int | str | None
    jsonrpc: str = "2.0"


class _ResultMessage(msgspec.Struct):
    result: Any
    id: int | str
    jsonrpc: str = "2.0"


_decoder = msgspec.json.Decoder(Message)
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def decode_message(body: bytes) -> Message:
    try:
        message = _decoder.decode(body)
    except msgspec.ValidationError as error:
        if body.lstrip()[:1] == b"[":
            raise ProtocolError(INVALID_REQUEST, "Batches are not accepted; send one message per request.") from None
        problem = f"Not a JSON-RPC message: {error}."
        raise ProtocolError(INVALID_REQUEST, problem, message_id=_id_of_malformed_message(body)) from None
    except _UNREADABLE:
        raise ProtocolError(PARSE_ERROR, "The body is not valid JSON.") from None
    if message.jsonrpc != "2.0":
        problem = 'Not a JSON-RPC message: "jsonrpc" must be "2.0".'
        raise ProtocolError(INVALID_REQUEST, problem, message_id=_id_of_malformed_message(body))
    if not _is_echoed(message.id):
        raise ProtocolError(INVALID_REQUEST, f"The id is longer than {MESSAGE_ID_CHARS} characters.")
    if (name := _duplicate_key_of_envelope(message, body)) is not None:
        # Not even the id is sure: it may be the one that stands there twice.
        raise ProtocolError(INVALID_REQUEST, f"The message has {name[:NAME_CHARS]!r} twice; send each name once.")
    return message


def _duplicate_key_of_envelope(message: Message, body: bytes) -> str | None:
    """The arguments of a tool are the dispatcher's to judge. Whichever place has their text has as many names in it."""
    arguments = bytes(message.params.arguments) if message.params is not None else b""
    is_tool_call = message.method == "tools/call" and arguments.startswith(b"{")
    try:
        return find_duplicate_key(body.replace(arguments, b"0", 1) if is_tool_call else body)
    except _UNREADABLE:
        raise ProtocolError(PARSE_ERROR, "The body is not valid JSON.") from None


def _is_echoed(message_id: object) -> bool:
    return not isinstance(message_id, int | str) or len(str(message_id)) <= MESSAGE_ID_CHARS


class _OnlyId(msgspec.Struct):
    id: int | str | None = None


def _id_of_malformed_message(body: bytes) -> int | str | None:
    """The id of a message that is otherwise malformed, so that its client knows which one it was."""
    try:
        message_id = msgspec.json.decode(body, type=_OnlyId).id
    except _UNREADABLE:
        return None
    return message_id if _is_echoed(message_id) else None


def encode_result(message_id: int | str, result: Any) -> bytes:
    return encode(_ResultMessage(result, message_id))


def encode_error(message_id: int | str | None, error: ProtocolError) -> bytes:
    return encode(_ErrorMessage(_Error(error.code, error.message, error.data), message_id))
