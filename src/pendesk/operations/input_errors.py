"""Everything that is wrong with an input. msgspec stops at the first fault; the author of 200 tasks wants all.

Only looked for when an input is refused, so its cost does not matter; it never finds more than is shown.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from pendesk.domain.limits import FAULTS_SHOWN


def list_validation_errors(value_type: Any, decoded: Any) -> list[str]:
    """Complaints in msgspec's words, each with its place; `decoded` is the input as any JSON reader sees it."""
    return list(islice(_iter_validation_errors(value_type, decoded, ""), FAULTS_SHOWN))


def _iter_validation_errors(value_type: Any, value: Any, field_path: str) -> Iterator[str]:
    inner, most = unwrapped_type_and_max_length(value_type)
    if isinstance(inner, type) and issubclass(inner, msgspec.Struct) and isinstance(value, dict):
        yield from _struct_errors(inner, value, field_path)
    elif get_origin(inner) is list and isinstance(value, list) and (most is None or len(value) <= most):
        for index, item in enumerate(value):
            yield from _iter_validation_errors(get_args(inner)[0], item, f"{field_path}[{index}]")
    else:
        try:
            msgspec.convert(value, value_type)
        except msgspec.ValidationError as error:
            yield _with_field_path(str(error), field_path)


def _struct_errors(value_type: type[msgspec.Struct], value: dict[str, Any], field_path: str) -> Iterator[str]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(value_type)}
    for name, field in fields.items():
        if name in value:
            yield from _iter_validation_errors(field.type, value[name], f"{field_path}.{name}")
        elif field.required:
            yield _with_field_path(f"Object missing required field `{name}`", field_path)
    for name in value:
        if name not in fields:
            yield _with_field_path(f"Object contains unknown field `{name}`", field_path)


def unwrapped_type_and_max_length(value_type: Any) -> tuple[Any, int | None]:
    """The type without `| None` and descriptions, and how many items it takes at most."""
    origin = get_origin(value_type)
    if origin is Annotated:
        inner, most = unwrapped_type_and_max_length(get_args(value_type)[0])
        bounds = [meta.max_length for meta in value_type.__metadata__ if isinstance(meta, msgspec.Meta)]
        return inner, next((bound for bound in bounds if bound is not None), most)
    if origin is UnionType or origin is Union:
        members = [member for member in get_args(value_type) if member is not type(None)]
        return unwrapped_type_and_max_length(members[0]) if len(members) == 1 else (value_type, None)
    return value_type, None


def allowed_values_at_field_path(value_type: Any, field_path: str) -> list[str]:
    """The words that the field at this place takes, where it takes only some."""
    inner = _type_at_field_path(value_type, field_path)
    if isinstance(inner, type) and issubclass(inner, StrEnum):
        return [member.value for member in inner]
    return list(get_args(inner)) if get_origin(inner) is Literal else []


def field_names_at_field_path(value_type: Any, field_path: str) -> list[str]:
    """The fields of the object at this place."""
    inner = _type_at_field_path(value_type, field_path)
    is_struct = isinstance(inner, type) and issubclass(inner, msgspec.Struct)
    return [field.encode_name for field in msgspec.structs.fields(inner)] if is_struct else []


def _type_at_field_path(value_type: Any, field_path: str) -> Any:
    """Without `| None` and descriptions; None where there is no such place."""
    for name in filter(None, field_path.split(".")):
        inner, _ = unwrapped_type_and_max_length(value_type)
        if not (isinstance(inner, type) and issubclass(inner, msgspec.Struct)):
            return None
        types = [field.type for field in msgspec.structs.fields(inner) if field.encode_name == name.partition("[")[0]]
        if not types:
            return None
        value_type = types[0]
        if name.endswith("]"):
            value_type = get_args(unwrapped_type_and_max_length(value_type)[0])[0]
    return unwrapped_type_and_max_length(value_type)[0]


def value_at_field_path(decoded: Any, field_path: str) -> Any:
    """What was sent there; None where that cannot be followed."""
    for name in filter(None, re.split(r"[.\[\]]+", field_path)):
        if isinstance(decoded, dict):
            decoded = decoded.get(name)
        elif isinstance(decoded, list) and name.isdecimal() and int(name) < len(decoded):
            decoded = decoded[int(name)]
        else:
            return None
    return decoded


def _with_field_path(message: str, field_path: str) -> str:
    """With its place seen from the whole input."""
    if " - at `$" in message:
        return message.replace(" - at `$", f" - at `${field_path}", 1)
    return f"{message} - at `${field_path}`" if field_path else message
