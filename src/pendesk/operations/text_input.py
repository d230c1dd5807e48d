"""Texts from a query, a form or a command line as the fields of an operation's input: numbers, booleans, lists.

What does not read as the field's type stays text: the dispatcher refuses it and names the field.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from pendesk.domain.errors import BadField
from pendesk.operations.operation import Input

_CONVERTED: dict[type[inspect.Type], type] = {inspect.IntType: int, inspect.FloatType: float, inspect.BoolType: bool}
_UNKNOWN = inspect.AnyType()


@cache
def field_types(input_type: type[Input]) -> dict[str, inspect.Type]:
    info = inspect.type_info(input_type)
    assert isinstance(info, inspect.StructType)
    return {field.encode_name: field.type for field in info.fields}


def add_arguments_from_text(
    input_type: type[Input], arguments: dict[str, Any], name_text_pairs: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    """A name that comes twice is a list where the input has one; else it is refused."""
    types = field_types(input_type)
    for name, text in name_text_pairs:
        field_type = types.get(name, _UNKNOWN)
        items = list_type_in_union(field_type)
        if items is not None:
            arguments.setdefault(name, []).append(convert_to_type_or_keep_text(items.item_type, text))
        else:
            add_argument_or_reject_duplicate(arguments, name, convert_to_type_or_keep_text(field_type, text))
    return arguments


def add_argument_or_reject_duplicate(arguments: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    if name in arguments:
        raise BadField(name, "is given twice; give it once.")
    arguments[name] = value
    return arguments


def convert_to_type_or_keep_text(field_type: inspect.Type, text: str) -> Any:
    for alternative in union_members(field_type):
        if type(alternative) in _CONVERTED:
            try:
                return msgspec.convert(text, _CONVERTED[type(alternative)], strict=False)
            except msgspec.ValidationError:
                return text
    return text


def list_type_in_union(field_type: inspect.Type) -> inspect.ListType | None:
    return next((kind for kind in union_members(field_type) if isinstance(kind, inspect.ListType)), None)


def union_members(field_type: inspect.Type) -> list[inspect.Type]:
    """Without the annotations around it, and each type of a union."""
    if isinstance(field_type, inspect.Metadata):
        return union_members(field_type.type)
    if isinstance(field_type, inspect.UnionType):
        return [alternative for member in field_type.types for alternative in union_members(member)]
    return [field_type]
