"""Generates the parts of the Python client (clients/python) that follow from others: the inputs and outputs of the REST
routes as typed Python, and the sync client from the async one.

`make client` runs it; a test compares what it would write with the files.
"""

import keyword
import re
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from pendesk.domain.access import TOKEN_SCOPES
from pendesk.operations.operation import AnyOperation
from pendesk.operations.registry import OPERATIONS
from pendesk.transports.rest import schemas
from pendesk.transports.rest.routes import TABLE, RestRoute

FOLDER = Path(__file__).parent.parent / "clients" / "python" / "src" / "pendesk_client"
BY_NAME = {operation.name: operation for operation in OPERATIONS}
ROWS = [row for row in TABLE if BY_NAME[row.operation].scope in TOKEN_SCOPES]
GENERATED = (
    "# Generated from the server's routes by scripts/write_client.py: run `make client` instead of editing it.\n"
)
# Set by the client itself, or by the server from the body.
NOT_PARAMETERS = {"idempotency_key", "receipt", "content"}


def without_constraints(kind: Any) -> Any:
    return without_constraints(kind.type) if isinstance(kind, inspect.Metadata) else kind


def annotation(kind: Any, models_prefix: str = "") -> str:
    """A type as it is written in Python."""
    kind = without_constraints(kind)
    simple: dict[Any, str] = {
        inspect.StrType: "str",
        inspect.IntType: "int",
        inspect.FloatType: "float",
        inspect.BoolType: "bool",
        inspect.NoneType: "None",
        inspect.AnyType: "Any",
    }
    if type(kind) in simple:
        return simple[type(kind)]
    if isinstance(kind, inspect.LiteralType):
        return f"Literal[{', '.join(map(repr, kind.values))}]"
    if isinstance(kind, inspect.EnumType):
        return f"Literal[{', '.join(repr(str(member)) for member in kind.cls)}]"
    if isinstance(kind, inspect.UnionType):
        return " | ".join(annotation(member, models_prefix) for member in kind.types)
    if isinstance(kind, inspect.ListType):
        return f"list[{annotation(kind.item_type, models_prefix)}]"
    if isinstance(kind, inspect.DictType):
        return f"dict[{annotation(kind.key_type, models_prefix)}, {annotation(kind.value_type, models_prefix)}]"
    if isinstance(kind, inspect.StructType):
        return models_prefix + schemas.openapi_component_name(kind.cls)
    raise TypeError(f"no annotation for {kind}")


def collect_structs(kind: Any, structs: dict[str, Any]) -> None:
    """Add the structs inside a type, by name."""
    kind = without_constraints(kind)
    if isinstance(kind, inspect.StructType):
        name = schemas.openapi_component_name(kind.cls)
        if name not in structs:
            structs[name] = kind
            for field in kind.fields:
                collect_structs(field.type, structs)
    for attribute in ("types", "item_type", "value_type"):
        inner = getattr(kind, attribute, ())
        for inner_kind in inner if isinstance(inner, tuple) else (inner,):
            collect_structs(inner_kind, structs)


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def struct_source(name: str, kind: Any) -> str:
    lines = [f"class {name}(Model, kw_only=True):"]
    for field in kind.fields:
        attribute = field.name + "_" if keyword.iskeyword(field.name) else field.name
        renamed = field.encode_name != camel(attribute)
        default = "" if field.required else repr(default_of(field))
        if renamed:
            argument = f"name={field.encode_name!r}" + (f", default={default}" if default else "")
            default = f"msgspec.field({argument})"
        lines.append(f"    {attribute}: {annotation(field.type)}" + (f" = {default}" if default else ""))
    return "\n".join([*lines, *(["    pass"] if not kind.fields else [])])


def default_of(field: Any) -> Any:
    default = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    return default.value if isinstance(default, Enum) else default


def typed_dict_source(name: str, kind: Any) -> str:
    fields = {
        field.encode_name: annotation(field.type) if field.required else f"NotRequired[{annotation(field.type)}]"
        for field in kind.fields
    }
    if any(map(keyword.iskeyword, fields)):
        body = ", ".join(f"{field!r}: {kind}" for field, kind in fields.items())
        return f"{name} = TypedDict({name!r}, {{{body}}})"
    return "\n".join([f"class {name}(TypedDict):", *(f"    {field}: {kind}" for field, kind in fields.items())])


def models_source() -> str:
    outputs: dict[str, Any] = {}
    inputs: dict[str, Any] = {}
    for row in ROWS:
        operation = BY_NAME[row.operation]
        collect_structs(inspect.type_info(operation.output), outputs)
        for field in inspect.type_info(operation.input).fields:  # type: ignore[attr-defined]
            collect_structs(field.type, inputs)
    parts = [
        '"""The outputs of the operations, as structs, and the parts of their inputs, as dictionaries."""\n'
        + GENERATED,
        "from __future__ import annotations\n\nfrom typing import Any, Literal, NotRequired, TypedDict\n\n"
        "import msgspec\n",
        'class Model(msgspec.Struct, kw_only=True, rename="camel"):\n'
        '    """A part of a response. Fields that only a newer server has are ignored."""',
        *(struct_source(name, kind) for name, kind in sorted(outputs.items())),
        *(typed_dict_source(name, kind) for name, kind in sorted(inputs.items())),
    ]
    return "\n\n\n".join(parts) + "\n"


class Method:
    """The source of one method, sync or async."""

    def __init__(self, row: RestRoute, operation: AnyOperation) -> None:
        self.row, self.operation = row, operation
        self.fields = inspect.type_info(operation.input).fields  # type: ignore[attr-defined]
        self.has_key = any(field.name == "idempotency_key" for field in self.fields)
        self.result = f"models.{schemas.openapi_component_name(operation.output)}" if row.status != 204 else "None"

    def parameters(self, without: tuple[str, ...] = ()) -> list[str]:
        fields = [field for field in self.fields if field.encode_name not in {*NOT_PARAMETERS, *without}]
        required = [
            f"{field.encode_name}: {annotation(field.type, 'models.').removesuffix(' | None')}"
            for field in fields
            if self.is_required(field)
        ]
        if self.row.body != "json":
            required.append("content: bytes")
        optional = [
            f"{field.encode_name}: {or_none(annotation(field.type, 'models.'))} = None"
            for field in fields
            if not self.is_required(field)
        ]
        key = ["idempotency_key: str | None = None"] if self.has_key else []
        return ["self", *required, *(["*", *optional, *key] if optional or key else [])]

    def is_required(self, field: Any) -> bool:
        """A tool may name by other fields what the path of a route names."""
        return field.required or f"{{{field.encode_name}}}" in self.row.path

    def arguments(self) -> str:
        names = [f.encode_name for f in self.fields if f.encode_name not in NOT_PARAMETERS]
        return "{" + ", ".join(f"{name!r}: {name}" for name in names) + "}"

    def request(self) -> str:
        row = self.row
        result = self.result if row.status != 204 else "type(None)"
        parts = [repr(row.method), repr(row.path), self.arguments(), result]
        if self.has_key:
            parts.append("idempotency_key=idempotency_key or new_idempotency_key()")
        if row.body != "json":
            parts.append("content=content")
        return f"Request({', '.join(parts)})"

    def source(self, is_async: bool) -> str:
        definition, wait = ("async def", "await ") if is_async else ("def", "")
        head = f"    {definition} {self.operation.name}({', '.join(self.parameters())}) -> {self.result}:"
        statement = "return " if self.row.status != 204 else ""
        doc = f'        """{self.operation.title}. {self.row.method} {self.row.path}"""'
        return f"{head}\n{doc}\n        {statement}{wait}self._send({self.request()})"

    def paged_field(self) -> str | None:
        """The field with the items, where the output is a page of a list."""
        output = inspect.type_info(self.operation.output)
        names = {field.encode_name: field for field in output.fields}  # type: ignore[attr-defined]
        lists = [name for name, field in names.items() if isinstance(without_constraints(field.type), inspect.ListType)]
        lists = [name for name in lists if name != "cut"]
        is_list = self.operation.name.startswith("list_") and "nextCursor" in names and len(lists) == 1
        return lists[0] if is_list else None

    def iterator_source(self, is_async: bool) -> str | None:
        name = self.paged_field()
        if name is None:
            return None
        output = inspect.type_info(self.operation.output)
        field = next(field for field in output.fields if field.encode_name == name)  # type: ignore[attr-defined]
        item = f"models.{annotation(without_constraints(field.type).item_type)}"
        cursor = "cursor" if any(field.name == "cursor" for field in self.fields) else "after"
        definition, iterator, wait = ("async def", "AsyncIterator", "await ") if is_async else ("def", "Iterator", "")
        head = f"    {definition} {self.operation.name.replace('list_', 'iter_', 1)}"
        arguments = ", ".join(
            f"{f.encode_name}={f.encode_name}" for f in self.fields if f.encode_name not in {*NOT_PARAMETERS, cursor}
        )
        leading = f"{arguments}, " if arguments else ""
        return "\n".join(
            [
                f"{head}({', '.join(self.parameters((cursor,)))}) -> {iterator}[{item}]:",
                '        """All items, page after page."""',
                f"        page = {wait}self.{self.operation.name}({arguments})",
                "        while True:",
                *yield_lines(is_async, f"page.{field.name}"),
                "            if page.next_cursor is None:",
                "                return",
                f"            page = {wait}self.{self.operation.name}({leading}{cursor}=page.next_cursor)",
            ]
        )


def yield_lines(is_async: bool, items: str) -> list[str]:
    if is_async:
        return [f"            for item in {items}:", "                yield item"]
    return [f"            yield from {items}"]


def or_none(kind: str) -> str:
    return kind if re.search(r"(^|\| )None$", kind) else f"{kind} | None"


def operations_source() -> str:
    parts = [
        '"""One method for every operation that a token may call, sync and async."""\n' + GENERATED,
        "from collections.abc import AsyncIterator, Iterator\nfrom typing import Literal, TypeVar\n\n"
        "from pendesk_client import models\nfrom pendesk_client.request import Request, new_idempotency_key\n\n"
        'T = TypeVar("T")\n',
    ]
    for name, is_async in (("Operations", False), ("AsyncOperations", True)):
        definition = "async def" if is_async else "def"
        sources: list[str | None] = [
            f"    {definition} _send(self, request: Request[T]) -> T:\n        raise NotImplementedError"
        ]
        for row in ROWS:
            method = Method(row, BY_NAME[row.operation])
            sources += [method.source(is_async), method.iterator_source(is_async)]
        parts.append(f"class {name}:\n" + "\n\n".join(filter(None, sources)))
    return "\n\n\n".join(parts) + "\n"


# What makes the sync client of the async one, in this order.
ASYNC_TO_SYNC = {
    '"""The client for `async` code. `make client` generates the sync client, sync_client.py, from this file."""': (
        '"""The sync client, which waits for each response."""\n'
        "# Generated from async_client.py by scripts/write_client.py: run `make client` instead of editing it."
    ),
    "import asyncio\n": "import time\n",
    "asyncio.sleep": "time.sleep",
    "async with": "with",
    "async for": "for",
    "async def": "def",
    "await ": "",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "aclose": "close",
    "aread": "read",
    "aiter_lines": "iter_lines",
    "for event in stream.feed(line):\n                            yield event": "yield from stream.feed(line)",
    "Async": "",
}


def sync_client_source() -> str:
    text = (FOLDER / "async_client.py").read_text()
    for async_code, sync_code in ASYNC_TO_SYNC.items():
        text = text.replace(async_code, sync_code)
    return text


GENERATORS = {"models.py": models_source, "operations.py": operations_source, "sync_client.py": sync_client_source}


def formatted_source(name: str) -> str:
    """A generated file as it is on the disk: formatted by ruff."""
    ruff = [sys.executable, "-m", "ruff", "format", "-", "--stdin-filename", str(FOLDER / name)]
    return subprocess.run(ruff, input=GENERATORS[name](), capture_output=True, text=True, check=True).stdout


def main() -> None:
    for name in GENERATORS:
        (FOLDER / name).write_text(formatted_source(name))
    sys.stdout.write(f"Wrote {', '.join(GENERATORS)} for {len(ROWS)} operations.\n")


if __name__ == "__main__":
    main()
