"""What comes with a request: JSON, queries, forms, headers; and what is cut to fit an answer."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request, cookie_parser

from bench.inputs.case import case, repeated
from pendesk.domain.limits import Limits
from pendesk.domain.oauth import sanitize_client_name
from pendesk.domain.redirect import LONGEST_CHARS, parse_loopback_uri
from pendesk.operations.decode_input import decode_input
from pendesk.operations.registry import OPERATIONS
from pendesk.operations.truncate import truncate_json_to_token_limit
from pendesk.transports.deadlines import HEAD_BYTES
from pendesk.transports.mcp.messages import ProtocolError, decode_message
from pendesk.transports.rest.multipart import FORM_OVERHEAD_BYTES, _FormParser
from pendesk.transports.rest.reading import _path_and_query_arguments
from pendesk.transports.web.pages.form_post import FIELDS
from pendesk.transports.web.parts.browser_name import browser_name
from pendesk.transports.web.parts.form_fields import form_fields_to_arguments

BODY = Limits().body_bytes
BY_NAME = {operation.name: operation for operation in OPERATIONS}
DECODERS = {name: msgspec.json.Decoder(operation.input) for name, operation in BY_NAME.items()}


def body(name: str, text: str) -> object:
    return decode_input(DECODERS[name], text.encode())


def mcp(text: str) -> object:
    try:
        return decode_message(text.encode())
    except ProtocolError as error:
        return error.message


def query(text: str) -> object:
    scope = {"type": "http", "query_string": text.encode(), "headers": [], "path_params": {}, "path": "/"}
    return _path_and_query_arguments(Request(scope), BY_NAME["list_events"])


def form(text: bytes) -> object:
    written: list[bytes] = []
    parser = _FormParser(b"b", written.append)
    parser.feed(text)
    return parser.finish()


def multipart(unit: bytes) -> Callable[[int], bytes]:
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    return lambda size: head + unit * (size // len(unit)) + b"\r\n--b--\r\n"


def disposition(unit: bytes) -> Callable[[int], bytes]:
    head, end = b"--b\r\nContent-Disposition: form-data; ", b"\r\n\r\n\r\n--b--\r\n"
    return lambda size: head + unit * (size // len(unit)) + end


def many_names(size: int) -> str:
    return "{" + ",".join(f'"a{number}":1' for number in range(size // 10)) + "}"


def many_parameters(size: int) -> str:
    return "&".join(f"a{number}=" for number in range(size // 7))


def many_fields(size: int) -> list[tuple[str, str]]:
    return [(f"verdicts.{number}.note.a.b", "x") for number in range(size)]


def nested(size: int) -> str:
    return '{"draft":' + "[" * (size // 2) + "]" * (size // 2) + "}"


def plan(size: int) -> str:
    """With one broken part, so that all of its faults are looked for."""
    tasks = [{"key": str(number), "label": "a"} for number in range(size // 60)]
    edges = [{"from": str(number), "to": str(number + 1)} for number in range(size // 60)]
    return msgspec.json.encode({"name": 1, "tasks": tasks, "edges": edges}).decode()


def answer(rows: int) -> bytes:
    return msgspec.json.encode({"rows": [{"text": "a" * 300, "more": {"of": ["it"] * 10}}] * (rows // 400)})


def form_fields(fields: list[tuple[str, str]]) -> dict[str, Any]:
    return form_fields_to_arguments(BY_NAME["review_action"].input, fields)


CASES = [
    case("input", "a field named by many places", BODY, partial(body, "create_note"),
         repeated(" - at `$", '{"', '\\n":1}')),
    case("input", "fields that nobody knows", BODY, partial(body, "create_note"), many_names),
    case("input", "brackets in brackets", BODY, partial(body, "compare_revisions"), nested),
    case("input", "an address with a blank at its end", BODY, partial(body, "create_project"),
         lambda _size: '{"name":"a","repository_url":"https://' + "a" * 1_980 + ' "}'),
    case("input", "a plan of 16,000 tasks and edges", BODY, partial(body, "scaffold_project_from_plan"), plan),
    case("input", "a text of escaped control characters", BODY, partial(body, "create_note"),
         repeated("\\u0001", '{"title":"a","body":"', '"}')),
    case("input", "quotes and colons in a text", BODY, partial(body, "upload_test_report"),
         repeated('\\":', '{"action_pid":"a","format":"tap","content":"', '"}')),
    case("MCP message", "brackets in brackets", BODY, mcp, repeated("[")),
    case("MCP message", "a method that is a long number", BODY, mcp, repeated("1", '{"jsonrpc":"2.0","id":', "}")),
    case("query", "parameters that nobody knows", HEAD_BYTES, query, many_parameters),
    case("cookies", "one letter each", HEAD_BYTES, cookie_parser, repeated("a;")),
    case("cookies", "quotes", HEAD_BYTES, cookie_parser, repeated('a="\\"";')),
    case("form", "fields of a list", FIELDS, form_fields, many_fields),
    case("multipart", "line breaks", BODY, form, multipart(b"\r\n")),
    case("multipart", "nearly the boundary", BODY, form, multipart(b"\r\n--")),
    case("multipart", "options of a header", FORM_OVERHEAD_BYTES, form, disposition(b"a=b; ")),
    case("multipart", "quotes in a header", FORM_OVERHEAD_BYTES, form, disposition(b'a="\\"; ')),
    case("redirect URI", "a path of many parts", LONGEST_CHARS, parse_loopback_uri,
         repeated("/a", "http://127.0.0.1", "!")),
    case("client name", "marks that cannot be seen", 64_000, sanitize_client_name, repeated("\u200b ")),
    case("browser name", "versions without an end", 200, browser_name, repeated("Version/1")),
    case("answer cut to fit", "rows of short texts", 4 * BODY, truncate_json_to_token_limit, answer),
]  # fmt: skip
