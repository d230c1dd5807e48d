"""What comes from outside, read as an operation's input, or refused with what is wrong and what would be right."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from pendesk.domain.errors import BadField
from pendesk.domain.limits import FAULTS_SHOWN
from pendesk.operations.duplicate_keys import find_duplicate_key
from pendesk.operations.input_errors import (
    allowed_values_at_field_path,
    field_names_at_field_path,
    list_validation_errors,
    value_at_field_path,
)
from pendesk.operations.nearest_names import nearest_names
from pendesk.operations.operation import Input, encode_json

ECHO_CHARS = 200  # of what a caller sent, in a refusal

# Escapes of control characters as they stand in JSON text; a hit is looked at again in the decoded fields.
MAYBE_CONTROL = re.compile(rb"\\(?:[bf]|u00(?:[01]|7[fF]))")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_AT = " - at `$"
_NAMED = re.compile(r"(?:missing required|contains unknown) field `([^`]*)`")
_LENGTH = re.compile(r"expected (text|a list) of length (<=|>=) (\d+)")
_TYPES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
}


def decode_input(decoder: "msgspec.json.Decoder[Any]", raw: bytes) -> Any:
    """The input, or a refusal that names the field."""
    try:
        args = decoder.decode(raw)
    except msgspec.ValidationError as error:
        raise _bad_input_error(decoder.type, raw, str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadField("", "The arguments are not valid JSON. Send one JSON object.") from None
    if b"\x7f" in raw or MAYBE_CONTROL.search(raw):
        check_no_control_characters("", msgspec.to_builtins(args))
    if (name := find_duplicate_key(raw)) is not None:
        raise BadField(name[:ECHO_CHARS], "is given twice; give it once.")
    return args


def encode_arguments_as_json(arguments: Mapping[str, Any]) -> bytes:
    try:
        return encode_json(arguments)
    except (UnicodeEncodeError, TypeError, ValueError, OverflowError, RecursionError):
        raise BadField("", "The arguments cannot be written as JSON text; check for broken characters.") from None


def _bad_input_error(input_type: Any, raw: bytes, message: str) -> BadField:
    """The fault that was met first; all of them in `faults` where there are several, or where the input says more."""

    try:
        loose = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return BadField(*parse_field_and_problem(message, input_type))

    def read(text: str) -> tuple[str, str]:
        return parse_field_and_problem(text, input_type, loose)

    first = read(message)
    refusal = BadField(*first)
    more = input_type.field_problem_pairs_beyond_types(loose) if issubclass(input_type, Input) else None
    faults_in_order = dict.fromkeys([first, *map(read, list_validation_errors(input_type, loose)), *(more or [])])
    faults = list(faults_in_order)[:FAULTS_SHOWN]
    if len(faults) > 1 or more is not None:
        refusal.details["faults"] = [{"field": field, "problem": problem} for field, problem in faults]
    if len(faults) > 1:
        refusal.message += f" There are {len(faults)} faults in all: see faults."
    return refusal


def parse_field_and_problem(msgspec_message: str, input_type: Any = None, decoded: Any = None) -> tuple[str, str]:
    """msgspec's complaint as the field, what is wrong with it and what would be right."""
    msgspec_message, path = _split_message_and_field_path(msgspec_message)
    field_name = _NAMED.search(msgspec_message)
    if field_name:
        field = f"{path}.{field_name[1]}"[:ECHO_CHARS] if path else field_name[1][:ECHO_CHARS]
        if "missing" in msgspec_message:
            return field, "is required."
        near = nearest_names(field_name[1], field_names_at_field_path(input_type, path))
        instead = f", or use {near[0]}" if near else ""
        return field, f"is not a field of this operation; leave it out{instead}."
    problem = msgspec_message[:ECHO_CHARS]
    if "matching regex" in problem:
        return path, _pattern_problem(problem, value_at_field_path(decoded, path))
    for word, plain in _TYPES.items():
        problem = problem.replace(f"`{word}`", plain).replace(f"`{word} | null`", plain)
    problem = f"{problem[0].lower()}{problem[1:]}"
    words = (
        allowed_values_at_field_path(input_type, path)
        if input_type is not None and problem.startswith("invalid enum value")
        else []
    )
    if words:
        hint = input_type.enum_hints.get(path, "") if issubclass(input_type, Input) else ""
        return path, f"{problem.removeprefix('invalid enum value ')} is not one of: {', '.join(words)}.{hint}"
    return path, _LENGTH.sub(_reword_length_error, problem) + "."


def _pattern_problem(complaint: str, value: Any) -> str:
    """The one reason, which the text itself shows."""
    if "https?://" in complaint:
        return (
            "must be an http:// or https:// address without a user name or blanks, such as "
            "https://git.example.com/pull/1."
        )
    if isinstance(value, str) and not value.strip():
        return "must not be blank."
    if isinstance(value, str) and len(value.splitlines()) > 1:
        return "must be one line."
    return "has a form that is not accepted here."


def _split_message_and_field_path(message: str) -> tuple[str, str]:
    """The complaint without its place, and the place. What a caller named may look like one: the last one counts."""
    words, mark, place = message.rpartition(_AT)
    return (words, place[:-1].removeprefix(".")) if mark and place.endswith("`") else (message, "")


def _reword_length_error(match: re.Match[str]) -> str:
    kind, bound, size = match.groups()
    if bound == ">=":
        return "must not be empty" if size == "1" else f"is too short: at least {size} are needed"
    return f"is too long: at most {size} {'characters' if kind == 'text' else 'entries'}"


def check_no_control_characters(field_path: str, value: Any) -> None:
    if isinstance(value, str):
        if _CONTROL.search(value):
            raise BadField(field_path, "has a control character; only line breaks and tabs are accepted.")
    elif isinstance(value, dict):
        for key, inner in value.items():
            check_no_control_characters(f"{field_path}.{key}" if field_path else str(key), inner)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            check_no_control_characters(f"{field_path}[{index}]", inner)
