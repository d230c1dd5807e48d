"""What an operation's input looks like, read from its type: a good example, and every way to spoil a field of it."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import inspect

from pendesk.operations.operation import AnyOperation

# Which noun the text of a field names. A new field that names something must be added here.
NOUN_OF_FIELD = {
    "agent_id": "agent",
    "agent_session_id": "agent session",
    "action_id": "action",
    "action_ids": "action",
    "action_pid": "action",
    "after": "",
    "assignee": "",
    "attachment_pid": "attachment",
    "brief_rev": "",
    "claim_id": "claim",
    "comment_id": "comment",
    "clarification_pid": "clarification",
    "criterionId": "criterion",
    "criterion_id": "criterion",
    "criterion_ids": "criterion",
    "delivery_id": "",
    "deviationId": "",
    "digest": "",
    "document_id": "document",
    "draft_id": "draft",
    "edge_id": "edge",
    "event": "",
    "from_task_id": "action",
    "goal": "",
    "id": "action",
    "goal_id": "goal",
    "grant_id": "grant",
    "hand_over_to": "user",
    "head_sha": "",
    "holder": "user",
    "invite_id": "invite",
    "itemId": "item",
    "item_ids": "",
    "deviation_ids": "",
    "linkTo": "",
    "linked_task_id": "action",
    "message_id": "message",
    "note_id": "note",
    "object_id": "spec",
    "parent_id": "document",
    "plan_id": "plan",
    "prerequisites": "action",
    "present_rev": "",
    "project_id": "project",
    "run_id": "run",
    "secret": "share secret",
    "session_id": "session",
    "sha": "",
    "share_id": "share",
    "source_id": "picture source",
    "spec_id": "spec",
    "spec_pid": "spec",
    "submission_id": "submission",
    "task_id": "other action",
    "to_action_id": "other action",
    "to_task_id": "other action",
    "token_id": "token",
    "user_id": "user",
    "user_pid": "user",
    "view_id": "saved view",
    "webhook_id": "webhook",
}
TEXTS = (
    "some text",
    "https://example.com/x",
    "a" * 40,
    "0" * 64,
    "text/plain",
    "ada@example.com",
    "a long enough text",
    "todo:100",
)

Path = tuple[str | int, ...]


class Field(NamedTuple):
    """A field anywhere in an input: the way to it, and its type without `| null`."""

    path: Path
    type: Any
    nullable: bool
    required: bool
    number: Any = None  # where a number is accepted beside words

    @property
    def name(self) -> str:
        return next(str(part) for part in reversed(self.path) if isinstance(part, str))

    @property
    def noun(self) -> str | None:
        return NOUN_OF_FIELD.get(self.name) or None if isinstance(self.type, inspect.StrType) else None


def bare(kind: Any) -> tuple[Any, bool]:
    """The type without its descriptions, and whether null is one of its values."""
    if isinstance(kind, inspect.Metadata):
        return bare(kind.type)
    if isinstance(kind, inspect.UnionType):
        others = [member for member in kind.types if not isinstance(member, inspect.NoneType)]
        # A word or a number: the words are what tools show.
        is_word_or_number = isinstance(others[0], inspect.LiteralType) and len(others) == 2
        assert len(others) == 1 or is_word_or_number, f"an input field of several types: {kind}"
        return bare(others[0])[0], len(others) < len(kind.types)
    return kind, False


def number_beside_words(kind: Any) -> Any:
    if isinstance(kind, inspect.Metadata):
        return number_beside_words(kind.type)
    members = kind.types if isinstance(kind, inspect.UnionType) else ()
    nested = [number_beside_words(member) for member in members]
    numbers = [member for member in (*members, *nested) if isinstance(member, inspect.IntType)]
    return numbers[0] if numbers and len(members) > 1 and not isinstance(bare(kind)[0], inspect.IntType) else None


@cache
def shape(operation: AnyOperation) -> Any:
    return inspect.type_info(operation.input)


def fields(operation: AnyOperation) -> list[Field]:
    """Every field, also those of the first item of its lists."""
    return list(_walk(shape(operation), ()))


def _walk(kind: Any, path: Path) -> Iterator[Field]:
    if isinstance(kind, inspect.StructType):
        for field in kind.fields:
            own, nullable = bare(field.type)
            here = (*path, field.encode_name)
            yield Field(here, own, nullable, field.required, number_beside_words(field.type))
            yield from _walk(own, here)
    elif isinstance(kind, inspect.ListType):
        item, nullable = bare(kind.item_type)
        if not isinstance(item, inspect.StructType):
            yield Field((*path, 0), item, nullable, False)
        yield from _walk(item, (*path, 0))


def example(operation: AnyOperation, ids: dict[str, str], field: Field | None = None) -> dict[str, Any]:
    """The required fields, and the one in question with all that leads to it."""
    made: dict[str, Any] = _sample(shape(operation), ids, "", field.path if field else ())
    return made


def _sample(kind: Any, ids: dict[str, str], name: str, wanted: Path) -> Any:
    kind, _ = bare(kind)
    if isinstance(kind, inspect.StructType):
        return {
            field.encode_name: _sample(field.type, ids, field.encode_name, wanted[1:] if on_the_way else ())
            for field in kind.fields
            if (on_the_way := bool(wanted) and wanted[0] == field.encode_name) or field.required
        }
    if isinstance(kind, inspect.ListType):
        return [_sample(kind.item_type, ids, name, wanted[1:])] if wanted or kind.min_length else []
    if isinstance(kind, inspect.LiteralType):
        return kind.values[0]
    if isinstance(kind, inspect.EnumType):
        return next(iter(kind.cls)).value
    if isinstance(kind, inspect.DictType):
        return {}
    if isinstance(kind, inspect.BoolType):
        return False
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        return kind.ge
    assert isinstance(kind, inspect.StrType), f"no example for {kind}"
    return ids.get(NOUN_OF_FIELD.get(name, "")) or _text(kind)


def _text(kind: inspect.StrType) -> str:
    constraint = msgspec.Meta(min_length=kind.min_length, max_length=kind.max_length, pattern=kind.pattern)
    for text in TEXTS:
        try:
            converted: str = msgspec.convert(text, Annotated[str, constraint])
            return converted
        except msgspec.ValidationError:
            continue
    raise AssertionError(f"no example text for {kind}: add one to TEXTS")


def put(arguments: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A copy with the value at the path."""
    changed: dict[str, Any] = json.loads(json.dumps(arguments))
    here: Any = changed
    for part in path[:-1]:
        here = here[part]
    here[path[-1]] = value
    return changed


def without(arguments: dict[str, Any], path: Path) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(json.dumps(arguments))
    here: Any = changed
    for part in path[:-1]:
        here = here[part]
    del here[path[-1]]
    return changed


def wrong_values(field: Field) -> Iterator[tuple[str, Any]]:
    """Values that no reading of the field's type allows, with what is wrong about them."""
    kind = field.type
    if field.number is not None:
        yield from _out_of_bounds(field.number)
    elif not isinstance(kind, inspect.IntType | inspect.FloatType):
        yield "a number", 7
        yield "a huge number", 10**300
    if not isinstance(kind, inspect.FloatType):
        yield "a fraction", 1.5
    if not isinstance(kind, inspect.BoolType):
        yield "a truth value", True
    if not isinstance(kind, inspect.StrType | inspect.LiteralType | inspect.EnumType):
        yield "a text", "text"
    if not isinstance(kind, inspect.ListType):
        yield "a list", ["text"]
    if not isinstance(kind, inspect.StructType | inspect.DictType):
        yield "an object", {"text": "text"}
    if not field.nullable:
        yield "null", None
    yield from _out_of_bounds(kind)


def _out_of_bounds(kind: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(kind, inspect.StrType):
        counted = re.search(r"\{\d+\}\)?\\Z\Z", kind.pattern or "")
        assert kind.max_length or counted, f"an unbounded text: {kind}"
        yield "a megabyte", "a " * 500_000
        if kind.max_length:
            yield "one character too long", "a" * (kind.max_length + 1)
            yield "wide and too long", "\U0001f600" * (kind.max_length + 1)
        if kind.min_length:
            yield "empty", ""
        if kind.pattern and "\\S" in kind.pattern:
            yield "blank", " \t "
        if kind.pattern and "\\r\\n" in kind.pattern:
            yield "two lines", "one\ntwo"
    elif isinstance(kind, inspect.LiteralType | inspect.EnumType):
        yield "another word", "no such word"
        yield "an empty word", ""
        yield "a very long word", "w" * 100_000
    elif isinstance(kind, inspect.IntType | inspect.FloatType):
        assert kind.ge is not None, f"an unbounded number: {kind}"
        assert kind.le is not None, f"an unbounded number: {kind}"
        yield "too small", kind.ge - 1
        yield "too large", kind.le + 1
    elif isinstance(kind, inspect.ListType):
        assert kind.max_length, f"an unbounded list: {kind}"
        yield "too many", ["a"] * (kind.max_length + 1)
    elif isinstance(kind, inspect.DictType):
        assert kind.max_length, f"an unbounded mapping: {kind}"
        yield "too many", {str(number): "a" for number in range(kind.max_length + 1)}


def spoiled_texts(field: Field) -> Iterator[tuple[str, bytes]]:
    """JSON in place of a text field's value that a reader may stumble over; each must be refused."""
    if isinstance(field.type, inspect.StrType):
        yield "NUL", rb'"a\u0000b"'
        yield "an escape sequence", rb'"a\u001b[31mb"'
        yield "a backspace", rb'"a\bb"'
        yield "DEL", rb'"a\u007fb"'
        yield "DEL itself", b'"a\x7fb"'
        yield "a bare control character", b'"a\x01b"'
        yield "a lone high surrogate", rb'"a\ud800b"'
        yield "a lone low surrogate", rb'"a\udc00b"'
        yield "surrogates the wrong way round", rb'"\udc00\ud800"'
        yield "a surrogate in UTF-8", b'"a\xed\xa0\x80b"'
        yield "no UTF-8", b'"a\xffb"'
        yield "an overlong NUL", b'"a\xc0\x80b"'
    yield "5,000 digits", b"9" * 5_000
    yield "a negative number of 5,000 digits", b"-" + b"9" * 5_000
    yield "5,000 digits after the point", b"0." + b"9" * 5_000 + b"e9999"
    yield "NaN", b"NaN"
    yield "Infinity", b"-Infinity"
    yield "1e400", b"1e400"
    yield "lists 10,000 deep", b"[" * 10_000 + b"]" * 10_000
    yield "objects 10,000 deep", b'{"a":' * 10_000 + b"1" + b"}" * 10_000
    yield "lists that never end", b"[" * 100_000


NO_OBJECT: list[tuple[str, bytes]] = [
    ("nothing", b""),
    ("blanks", b"  \n"),
    ("a list", b"[]"),
    ("a text", b'"text"'),
    ("a number", b"7"),
    ("null", b"null"),
    ("true", b"true"),
    ("half an object", b"{"),
    ("two objects", b"{}{}"),
    ("a comma too many", b'{"a":1,}'),
    ("a comment", b"/* */{}"),
    ("single quotes", b"{'a': 1}"),
    ("a byte order mark", b"\xef\xbb\xbf{}"),
    ("UTF-16", "{}".encode("utf-16")),
    ("no UTF-8", b'{"\xff": 1}'),
    ("NUL", b"\x00"),
    ("lists 10,000 deep", b"[" * 10_000 + b"]" * 10_000),
    ("objects 10,000 deep", b'{"a":' * 10_000 + b"1" + b"}" * 10_000),
    ("5,000 digits", b"9" * 5_000),
]
