"""Writes the parts of src/pendesk/client/ that follow from others: what the REST routes give and take, as typed Python,
and the plain client out of the asynchronous one.

`make client` runs it; a test compares what it would write with what is there.
"""

import keyword
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from pendesk.domain.access import TOKEN_SCOPES
from pendesk.operations.operation import AnyOperation
from pendesk.operations.registry import OPERATIONS
from pendesk.transports.rest import schemas
from pendesk.transports.rest.routes import TABLE, RestRoute

FOLDER = Path(__file__).parent.parent / "src" / "pendesk" / "client"
BY_NAME = {operation.name: operation for operation in OPERATIONS}
ROWS = [row for row in TABLE if BY_NAME[row.operation].scope in TOKEN_SCOPES]
MADE = "# Written by scripts/write_client.py from the server's own table: run `make client` instead of editing it.\n"
# What the client says itself, or the server makes out of the body.
SILENT = {"idempotency_key", "receipt", "content"}


def bare(kind: Any) -> Any:
    return bare(kind.type) if isinstance(kind, inspect.Metadata) else kind


def python(kind: Any, taken: bool) -> str:
    """A type as Python says it. What is taken are dictionaries, what is given are structs."""
    kind = bare(kind)
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
        return f"Literal[{', '.join(repr(str(each)) for each in kind.cls)}]"
    if isinstance(kind, inspect.UnionType):
        return " | ".join(python(each, taken) for each in kind.types)
    if isinstance(kind, inspect.ListType):
        return f"list[{python(kind.item_type, taken)}]"
    if isinstance(kind, inspect.DictType):
        return f"dict[{python(kind.key_type, taken)}, {python(kind.value_type, taken)}]"
    if isinstance(kind, inspect.StructType):
        return schemas.name_of(kind.cls) if not taken else f"models.{schemas.name_of(kind.cls)}"
    raise TypeError(f"no Python for {kind}")


def structs(kind: Any, found: dict[str, Any]) -> dict[str, Any]:
    """The structs inside a type, by name."""
    kind = bare(kind)
    if isinstance(kind, inspect.StructType):
        name = schemas.name_of(kind.cls)
        if name not in found:
            found[name] = kind
            for field in kind.fields:
                structs(field.type, found)
    for part in ("types", "item_type", "value_type"):
        inner = getattr(kind, part, ())
        for each in inner if isinstance(inner, tuple) else (inner,):
            structs(each, found)
    return found


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(each.title() for each in rest)


def model(name: str, kind: Any) -> str:
    lines = [f"class {name}(Answer, kw_only=True):"]
    for field in kind.fields:
        told = field.name + "_" if keyword.iskeyword(field.name) else field.name
        renamed = field.encode_name != camel(told)
        default = "" if field.required else repr(plain_default(field))
        if renamed:
            argument = f"name={field.encode_name!r}" + (f", default={default}" if default else "")
            default = f"msgspec.field({argument})"
        lines.append(f"    {told}: {python(field.type, False)}" + (f" = {default}" if default else ""))
    return "\n".join([*lines, *(["    pass"] if not kind.fields else [])])


def plain_default(field: Any) -> Any:
    return field.default_factory() if field.default is msgspec.NODEFAULT else field.default


def typed_dict(name: str, kind: Any) -> str:
    fields = {
        field.encode_name: python(field.type, False) if field.required else f"NotRequired[{python(field.type, False)}]"
        for field in kind.fields
    }
    if any(map(keyword.iskeyword, fields)):
        body = ", ".join(f"{field!r}: {told}" for field, told in fields.items())
        return f"{name} = TypedDict({name!r}, {{{body}}})"
    return "\n".join([f"class {name}(TypedDict):", *(f"    {field}: {told}" for field, told in fields.items())])


def models() -> str:
    given: dict[str, Any] = {}
    taken: dict[str, Any] = {}
    for row in ROWS:
        operation = BY_NAME[row.operation]
        structs(inspect.type_info(operation.output), given)
        for field in inspect.type_info(operation.input).fields:  # type: ignore[attr-defined]
            structs(field.type, taken)
    parts = [
        '"""What the server gives and takes, by name."""\n' + MADE,
        "from __future__ import annotations\n\nfrom typing import Any, Literal, NotRequired, TypedDict\n\n"
        "import msgspec\n",
        'class Answer(msgspec.Struct, kw_only=True, rename="camel"):\n'
        '    """What the server gave. What a newer server adds is passed over."""',
        *(model(name, kind) for name, kind in sorted(given.items())),
        *(typed_dict(name, kind) for name, kind in sorted(taken.items())),
    ]
    return "\n\n\n".join(parts) + "\n"


class Method:
    """One call in the words of both colours."""

    def __init__(self, row: RestRoute, operation: AnyOperation) -> None:
        self.row, self.operation = row, operation
        self.fields = inspect.type_info(operation.input).fields  # type: ignore[attr-defined]
        self.keyed = any(field.name == "idempotency_key" for field in self.fields)
        self.result = f"models.{schemas.name_of(operation.output)}" if row.status != 204 else "None"

    def parameters(self, without: tuple[str, ...] = ()) -> list[str]:
        shown = [field for field in self.fields if field.encode_name not in {*SILENT, *without}]
        asked = [f"{field.encode_name}: {python(field.type, True)}" for field in shown if field.required]
        if self.row.body != "json":
            asked.append("content: bytes")
        left = [
            f"{field.encode_name}: {optional(python(field.type, True))} = None" for field in shown if not field.required
        ]
        key = ["idempotency_key: str | None = None"] if self.keyed else []
        return ["self", *asked, *(["*", *left, *key] if left or key else [])]

    def arguments(self, without: tuple[str, ...] = ()) -> str:
        names = [f.encode_name for f in self.fields if f.encode_name not in {*SILENT, *without}]
        return "{" + ", ".join(f"{name!r}: {name}" for name in names) + "}"

    def call(self) -> str:
        row = self.row
        result = self.result if row.status != 204 else "type(None)"
        parts = [repr(row.method), repr(row.path), self.arguments(), result]
        if self.keyed:
            parts.append("key=idempotency_key or new_key()")
        if row.body != "json":
            parts.append("content=content")
        return f"Call({', '.join(parts)})"

    def written(self, is_async: bool) -> str:
        word, wait = ("async def", "await ") if is_async else ("def", "")
        head = f"    {word} {self.operation.name}({', '.join(self.parameters())}) -> {self.result}:"
        verb = "return " if self.row.status != 204 else ""
        doc = f'        """{self.operation.title}. {self.row.method} {self.row.path}"""'
        return f"{head}\n{doc}\n        {verb}{wait}self._answer({self.call()})"

    def paged(self) -> str | None:
        """The list that comes in pages, where this is one."""
        output = inspect.type_info(self.operation.output)
        names = {field.encode_name: field for field in output.fields}  # type: ignore[attr-defined]
        lists = [name for name, field in names.items() if isinstance(bare(field.type), inspect.ListType)]
        lists = [name for name in lists if name != "cut"]
        is_list = self.operation.name.startswith("list_") and "nextCursor" in names and len(lists) == 1
        return lists[0] if is_list else None

    def iterated(self, is_async: bool) -> str | None:
        name = self.paged()
        if name is None:
            return None
        output = inspect.type_info(self.operation.output)
        field = next(each for each in output.fields if each.encode_name == name)  # type: ignore[attr-defined]
        item = f"models.{python(bare(field.type).item_type, False)}"
        cursor = "cursor" if any(each.name == "cursor" for each in self.fields) else "after"
        word, turn, wait = ("async def", "AsyncIterator", "await ") if is_async else ("def", "Iterator", "")
        head = f"    {word} {self.operation.name.replace('list_', 'iter_', 1)}"
        passed = ", ".join(
            f"{f.encode_name}={f.encode_name}" for f in self.fields if f.encode_name not in {*SILENT, cursor}
        )
        first = f"{passed}, " if passed else ""
        return "\n".join(
            [
                f"{head}({', '.join(self.parameters((cursor,)))}) -> {turn}[{item}]:",
                '        """The same, page after page."""',
                f"        page = {wait}self.{self.operation.name}({passed})",
                "        while True:",
                *turned(is_async, f"page.{field.name}"),
                "            if page.next_cursor is None:",
                "                return",
                f"            page = {wait}self.{self.operation.name}({first}{cursor}=page.next_cursor)",
            ]
        )


def turned(is_async: bool, items: str) -> list[str]:
    if is_async:
        return [f"            for each in {items}:", "                yield each"]
    return [f"            yield from {items}"]


def optional(kind: str) -> str:
    return kind if re.search(r"(^|\| )None$", kind) else f"{kind} | None"


def calls() -> str:
    parts = [
        '"""One method for every operation that a token may call, in both colours."""\n' + MADE,
        "from collections.abc import AsyncIterator, Iterator\nfrom typing import Literal, TypeVar\n\n"
        "from pendesk.client import models\nfrom pendesk.client.wire import Call, new_key\n\n"
        'T = TypeVar("T")\n',
    ]
    for name, is_async in (("Calls", False), ("AsyncCalls", True)):
        word = "async def" if is_async else "def"
        methods = [f"    {word} _answer(self, call: Call[T]) -> T:\n        raise NotImplementedError"]
        for row in ROWS:
            method = Method(row, BY_NAME[row.operation])
            methods += [each for each in (method.written(is_async), method.iterated(is_async)) if each]
        parts.append(f"class {name}:\n" + "\n\n".join(methods))
    return "\n\n\n".join(parts) + "\n"


# How asynchronous code is said plainly, in this order.
PLAINLY = {
    '"""The client for `async` code. The plain one, sync_pendesk.py, is written from this file by `make client`."""': (
        '"""The plain client, which waits for each answer."""\n' + MADE.rstrip()
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
    "for event in events.read(line):\n                            yield event": "yield from events.read(line)",
    "Async": "",
}


def plain_client() -> str:
    text = (FOLDER / "async_pendesk.py").read_text()
    for word, plain in PLAINLY.items():
        text = text.replace(word, plain)
    return text


WRITTEN = {"models.py": models, "calls.py": calls, "sync_pendesk.py": plain_client}


def formatted(name: str) -> str:
    """As it lies on the disk: what ruff makes of it."""
    ruff = [sys.executable, "-m", "ruff", "format", "-", "--stdin-filename", str(FOLDER / name)]
    return subprocess.run(ruff, input=WRITTEN[name](), capture_output=True, text=True, check=True).stdout


def main() -> None:
    for name in WRITTEN:
        (FOLDER / name).write_text(formatted(name))
    sys.stdout.write(f"Wrote {', '.join(WRITTEN)} for {len(ROWS)} calls.\n")


if __name__ == "__main__":
    main()
