"""Everything that is wrong with an input. msgspec stops at the first fault; the author of 200 tasks wants all.

Only looked for when an input is refused, so its cost does not matter; it never finds more than is shown.
"""

from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from pendesk.domain.limits import FAULTS_SHOWN


def every_fault(kind: Any, loose: Any) -> list[str]:
    """Complaints in msgspec's words, each with its place; `loose` is the input as any JSON reader sees it."""
    return list(islice(_faults(kind, loose, ""), FAULTS_SHOWN))


def _faults(kind: Any, value: Any, path: str) -> Iterator[str]:
    inner, most = unwrap_type(kind)
    if isinstance(inner, type) and issubclass(inner, msgspec.Struct) and isinstance(value, dict):
        yield from _struct_faults(inner, value, path)
    elif get_origin(inner) is list and isinstance(value, list) and (most is None or len(value) <= most):
        for index, item in enumerate(value):
            yield from _faults(get_args(inner)[0], item, f"{path}[{index}]")
    else:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            yield _with_place(str(error), path)


def _struct_faults(kind: type[msgspec.Struct], value: dict[str, Any], path: str) -> Iterator[str]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for name, field in fields.items():
        if name in value:
            yield from _faults(field.type, value[name], f"{path}.{name}")
        elif field.required:
            yield _with_place(f"Object missing required field `{name}`", path)
    for name in value:
        if name not in fields:
            yield _with_place(f"Object contains unknown field `{name}`", path)


def unwrap_type(kind: Any) -> tuple[Any, int | None]:
    """The type without `| None` and descriptions, and how many items it takes at most."""
    origin = get_origin(kind)
    if origin is Annotated:
        inner, most = unwrap_type(get_args(kind)[0])
        bounds = [meta.max_length for meta in kind.__metadata__ if isinstance(meta, msgspec.Meta)]
        return inner, next((bound for bound in bounds if bound is not None), most)
    if origin is UnionType or origin is Union:
        members = [member for member in get_args(kind) if member is not type(None)]
        return unwrap_type(members[0]) if len(members) == 1 else (kind, None)
    return kind, None


def choices(kind: Any, path: str) -> list[str]:
    """The words that the field at this place takes, where it takes only some."""
    for name in path.split("."):
        inner, _ = unwrap_type(kind)
        if not (isinstance(inner, type) and issubclass(inner, msgspec.Struct)):
            return []
        types = [field.type for field in msgspec.structs.fields(inner) if field.encode_name == name.partition("[")[0]]
        if not types:
            return []
        kind = types[0]
        if name.endswith("]"):
            kind = get_args(unwrap_type(kind)[0])[0]
    inner, _ = unwrap_type(kind)
    if isinstance(inner, type) and issubclass(inner, StrEnum):
        return [member.value for member in inner]
    return list(get_args(inner)) if get_origin(inner) is Literal else []


def _with_place(complaint: str, path: str) -> str:
    """With its place seen from the whole input."""
    if " - at `$" in complaint:
        return complaint.replace(" - at `$", f" - at `${path}", 1)
    return f"{complaint} - at `${path}`" if path else complaint
