"""The form of an export: JSON, one row a line, in one text file. See docs/import-export.md.

{"format": "pendesk", "version": 1}
{"person": {...}}                       whoever the rows name
{"project": {...}}, {"goal": {...}} ... the tables of store/portable/tables.py, in that order, each sorted by its keys
{"attachment": {...}}, {"bytes": "..."} each attachment, followed by its bytes in base64
{"event": {...}}                        what happened to the project
{"end": {"lines": 4711}}                a file that was cut off has no such line
"""

import base64
from collections.abc import Iterator
from typing import Annotated, Any, BinaryIO

import msgspec
from msgspec import Meta

from pendesk.domain.access import UserKind
from pendesk.domain.errors import BadField
from pendesk.domain.limits import EMAIL_CHARS, IMPORT_LINE_BYTES, NAME_CHARS
from pendesk.operations.decode_input import MAYBE_CONTROL, check_no_control_characters, parse_field_and_problem
from pendesk.operations.operation import encode_json
from pendesk.store.engine.tx import Row
from pendesk.store.portable.tables import BY_WORD, Table

FORMAT = "pendesk"
VERSION = 1
_BROKEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Header(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: int


class Person(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    id: Annotated[str, Meta(pattern=r"\A[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")]
    kind: UserKind
    name: Annotated[str, Meta(max_length=NAME_CHARS)]
    email: Annotated[str, Meta(max_length=EMAIL_CHARS)] | None = None


class End(msgspec.Struct, forbid_unknown_fields=True):
    lines: int


def _define_row_struct(table: Table) -> type[msgspec.Struct]:
    fields: list[Any] = [
        (name, column.type if column.shape is not None else column.type | None, None)
        if column.nullable
        else (name, column.type)
        for name, column in table.columns.items()
    ]
    return msgspec.defstruct(table.row_kind, fields, forbid_unknown_fields=True, kw_only=True)


_line = msgspec.json.Decoder(dict[str, msgspec.Raw])
_header = msgspec.json.Decoder(Header)
_readers: dict[str, msgspec.json.Decoder[Any]] = {
    "person": msgspec.json.Decoder(Person),
    "bytes": msgspec.json.Decoder(str),
    "end": msgspec.json.Decoder(End),
    **{word: msgspec.json.Decoder(_define_row_struct(table)) for word, table in BY_WORD.items()},
}
_shapes = {
    (word, name): msgspec.json.Decoder(column.shape)
    for word, table in BY_WORD.items()
    for name, column in table.columns.items()
    if column.shape is not None
}


def encode_line(row_kind: str, value: Any) -> bytes:
    return encode_json({row_kind: value}) + b"\n"


def encode_header() -> bytes:
    return encode_json({"format": FORMAT, "version": VERSION}) + b"\n"


def encode_row(table: Table, row: Row) -> bytes:
    """What is null is left out; a column of JSON stands as what it is, not as a text."""
    cells = zip(table.columns.items(), row, strict=True)
    return encode_line(
        table.row_kind,
        {
            name: msgspec.Raw(value.encode()) if column.shape is not None else value
            for (name, column), value in cells
            if value is not None
        },
    )


def encode_attachment_chunk(chunk: bytes) -> bytes:
    return encode_line("bytes", base64.b64encode(chunk).decode())


def line_error(line_number: int, field: str, problem: str) -> BadField:
    return BadField(f"line {line_number}, {field}" if field else f"line {line_number}", problem)


def read_numbered_lines(source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their numbers."""
    number = 0
    while raw := source.readline(IMPORT_LINE_BYTES + 1):
        number += 1
        if len(raw) > IMPORT_LINE_BYTES:
            raise line_error(number, "", f"is longer than {IMPORT_LINE_BYTES} bytes; this is not an export of Pendesk.")
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        stripped = raw.strip()
        if stripped:
            yield number, stripped


def check_header(line_number: int, raw: bytes) -> None:
    try:
        header = _header.decode(raw)
    except _BROKEN:
        raise line_error(
            line_number,
            "",
            'must be {"format": "pendesk", "version": 1}. This file is not an export of Pendesk; '
            "for another program's files say which: --from backlog, taskmaster, plandesk or github.",
        ) from None
    if header.format != FORMAT:
        raise line_error(line_number, "format", f"is {header.format[:40]!r}; this server reads {FORMAT!r}.")
    if header.version != VERSION:
        raise line_error(
            line_number,
            "version",
            f"is {header.version}; this server reads version {VERSION}. Import it on a newer one.",
        )


def decode_line_kind_and_value(line_number: int, raw: bytes) -> tuple[str, Any]:
    """The word of a line and its value, checked; a row as a dict of its columns, JSON as text."""
    try:
        line = _line.decode(raw)
    except _BROKEN as error:
        raise line_error(line_number, "", f"is not a line of an export ({_describe_decode_error(error)}).") from None
    if len(line) != 1:
        raise line_error(line_number, "", f"has {len(line)} names; a line has one, such as action.")
    [(word, value)] = line.items()
    if word not in _readers:
        raise line_error(line_number, word[:40], "is not a kind of row that this server knows.")
    try:
        read = _readers[word].decode(value)
    except msgspec.ValidationError as error:
        field, problem = parse_field_and_problem(str(error))
        raise line_error(
            line_number, f"{word}.{field}" if field else word, _reword_operation_error_for_file(problem)
        ) from None
    except _BROKEN as error:
        raise line_error(line_number, word, f"is not valid JSON ({_describe_decode_error(error)}).") from None
    if word in BY_WORD:
        row = msgspec.structs.asdict(read)
        _validate_and_stringify_json_columns(line_number, word, row)
        read = row
    if b"\x7f" in raw or MAYBE_CONTROL.search(raw):
        _check_no_control_characters(line_number, word, raw)
    return word, read


def _validate_and_stringify_json_columns(line_number: int, row_kind: str, row: dict[str, Any]) -> None:
    for name, column in BY_WORD[row_kind].columns.items():
        if column.shape is None or row[name] is None:
            continue
        raw = bytes(row[name])
        try:
            _shapes[row_kind, name].decode(raw)
        except msgspec.ValidationError as error:
            field, problem = parse_field_and_problem(str(error))
            raise line_error(
                line_number, ".".join(filter(None, (row_kind, name, field))), _reword_operation_error_for_file(problem)
            ) from None
        except _BROKEN as error:
            raise line_error(
                line_number, f"{row_kind}.{name}", f"is not valid JSON ({_describe_decode_error(error)})."
            ) from None
        row[name] = raw.decode()


def _check_no_control_characters(line_number: int, row_kind: str, raw: bytes) -> None:
    try:
        check_no_control_characters("", msgspec.json.decode(raw))
    except BadField as fault:
        raise line_error(line_number, fault.details["field"] or row_kind, "has a control character.") from None


def _describe_decode_error(error: Exception) -> str:
    return "nested too deep" if isinstance(error, RecursionError) else str(error)[:100]


def _reword_operation_error_for_file(problem: str) -> str:
    """What the dispatcher says to callers, said of a file."""
    return problem.replace("is not a field of this operation; leave it out.", "is not known to this version.")
