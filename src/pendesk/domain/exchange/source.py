"""Files of other programs as bytes, and how they are opened: text, JSON; every fault names the file and the place."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from pendesk.domain.errors import BadField
from pendesk.domain.limits import FOREIGN_DEPTH, FOREIGN_FILE_BYTES, FOREIGN_ITEMS, FOREIGN_JSON_MARKS

ECHO_CHARS = 60  # of a name in a file, where a fault names its place
LARGEST = 10**15


class ImportFile(NamedTuple):
    name: str
    content: bytes


def decode_text(file: ImportFile) -> str:
    """UTF-8, with or without a byte order mark; line ends as they are on Unix."""
    if len(file.content) > FOREIGN_FILE_BYTES:
        raise BadField(file.name, f"is larger than {FOREIGN_FILE_BYTES} bytes.")
    try:
        text = file.content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = file.content.count(b"\n", 0, error.start) + 1
        raise BadField(f"{file.name}, line {line}", "is not UTF-8 text; save the file as UTF-8.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decode_json(file: ImportFile) -> Any:
    text = decode_text(file)
    if sum(map(text.count, ",[{")) > FOREIGN_JSON_MARKS:
        raise BadField(file.name, f"has more than {FOREIGN_JSON_MARKS} commas and brackets; give it in parts.")
    try:
        read = json.loads(text, object_pairs_hook=_reject_duplicate_keys, parse_constant=_reject_nan_and_infinity)
    except json.JSONDecodeError as error:
        raise BadField(f"{file.name}, line {error.lineno}", f"is not valid JSON: {error.msg}.") from None
    except (ValueError, RecursionError) as error:
        reason = "nested too deep" if isinstance(error, RecursionError) else str(error)[:200]
        raise BadField(file.name, f"is not valid JSON: {reason}.") from None
    _check_json_depth(file.name, read)
    return read


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for name, value in pairs:
        if name in read:
            raise ValueError(f"the field {name[:40]!r} is given twice")
        read[name] = value
    return read


def _reject_nan_and_infinity(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number")


def _check_json_depth(file_name: str, value: Any) -> None:
    level: list[Any] = [value]
    for _ in range(FOREIGN_DEPTH):
        level = [inner for outer in level for inner in _direct_child_values(outer)]
        if not level:
            return
    raise BadField(file_name, f"is nested deeper than {FOREIGN_DEPTH} levels.")


def _direct_child_values(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


class JsonObject:
    """A JSON object, read field by field. `location` is its place: `tasks.json, tasks[3]`."""

    def __init__(self, location: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise BadField(location, f"must be an object, and is {_describe_json_type(value)}.")
        self.location = location
        self._value = value
        self._taken: set[str] = set()

    def text(self, name: str, default: str = "") -> str:
        value = self._read_and_mark_used(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self.field_error(name, f"must be a text, and is {_describe_json_type(value)}.")
        return str(value)

    def required_text(self, name: str) -> str:
        text = self.text(name)
        if not text.strip():
            raise self.field_error(name, "is required.")
        return text

    def number(self, name: str) -> float | None:
        value = self._read_and_mark_used(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.field_error(name, f"must be a number, and is {_describe_json_type(value)}.")
        if not -LARGEST <= value <= LARGEST:
            raise self.field_error(name, "is too large a number.")
        return float(value)

    def boolean(self, name: str) -> bool:
        return self._read_and_mark_used(name) is True

    def list_items(self, name: str) -> list[Any]:
        value = self._read_and_mark_used(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.field_error(name, f"must be a list, and is {_describe_json_type(value)}.")
        if len(value) > FOREIGN_ITEMS:
            raise self.field_error(name, f"has {len(value)} entries, and {FOREIGN_ITEMS} is the limit.")
        return value

    def iter_objects_in_list(self, name: str) -> "Iterator[JsonObject]":
        return (
            JsonObject(f"{self.location}, {name}[{place}]", value) for place, value in enumerate(self.list_items(name))
        )

    def child(self, name: str) -> "JsonObject | None":
        value = self._read_and_mark_used(name)
        return None if value is None else JsonObject(f"{self.location}, {name[:ECHO_CHARS]}", value)

    def has(self, name: str) -> bool:
        return self._value.get(name) is not None

    def is_list(self, name: str) -> bool:
        return isinstance(self._value.get(name), list)

    def ignore_fields(self, *names: str) -> None:
        """Fields that mean nothing outside the program they came from."""
        self._taken.update(names)

    def unread_fields_as_text(self) -> dict[str, str]:
        """What nobody asked for, as text."""
        unread = {name: value for name, value in self._value.items() if name not in self._taken}
        return {
            name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for name, value in unread.items()
            if value not in (None, "", [], {})
        }

    def field_error(self, name: str, problem: str) -> BadField:
        return BadField(f"{self.location}, {name}", problem)

    def _read_and_mark_used(self, name: str) -> Any:
        self._taken.add(name)
        return self._value.get(name)


def _describe_json_type(value: Any) -> str:
    words = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return words.get(type(value), "a number")
