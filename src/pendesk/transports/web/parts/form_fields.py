"""A form's fields as an operation's input: texts become numbers and lists where the input says so.

`name` twice is a list; `verdicts.0.note` is a field of the first entry of a list. What does not fit is left as it was
typed: the dispatcher refuses it and names the field.
"""

from typing import Any

import msgspec
from msgspec import inspect

from pendesk.domain.errors import BadField
from pendesk.operations.operation import Input

DEEPEST = 5


def read_fields(kind: type[Input], fields: list[tuple[str, str]]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, value in fields:
        if not name.startswith("_"):
            _put(tree, name.split("."), value.replace("\r\n", "\n"))
    shape = inspect.type_info(kind)
    assert isinstance(shape, inspect.StructType)
    return _struct(shape, tree)


def _put(tree: dict[str, Any], path: list[str], value: str) -> None:
    """Leaves are lists of what was sent under that name."""
    if len(path) > DEEPEST:
        raise BadField(".".join(path)[:100], "is nested too deeply.")
    for part in path[:-1]:
        tree = tree.setdefault(part, {})
        if not isinstance(tree, dict):
            raise BadField(".".join(path)[:100], "is sent both as a value and as a group.")
    leaf = tree.setdefault(path[-1], [])
    if not isinstance(leaf, list):
        raise BadField(".".join(path)[:100], "is sent both as a value and as a group.")
    leaf.append(value)


def _struct(shape: inspect.StructType, tree: dict[str, Any]) -> dict[str, Any]:
    known = {field.encode_name: field for field in shape.fields}
    fields: dict[str, Any] = {}
    for name, values in tree.items():
        field = known.get(name)
        value = values if field is None else _value(field.type, values)
        if not (field is not None and not field.required and _is_absent(field.type, value)):
            fields[name] = value[-1] if field is None and isinstance(value, list) else value
    return fields


def _value(shape: inspect.Type, values: Any) -> Any:
    kinds = _kinds(shape)
    for kind in kinds:
        if isinstance(kind, inspect.ListType):
            return _list(kind, values)
        if isinstance(kind, inspect.StructType) and isinstance(values, dict):
            return _struct(kind, values)
    if isinstance(values, dict):
        return values
    return _leaf(kinds, values[-1])


def _list(shape: inspect.ListType, values: Any) -> list[Any]:
    if isinstance(values, dict):
        in_order = sorted(values.items(), key=lambda pair: (len(pair[0]), pair[0]))
        return [_value(shape.item_type, item) for _, item in in_order]
    return [_value(shape.item_type, [text]) for text in values if text.strip()]


def _leaf(kinds: list[inspect.Type], text: str) -> Any:
    for kind, python in ((inspect.IntType, int), (inspect.FloatType, float), (inspect.BoolType, bool)):
        if any(isinstance(possible, kind) for possible in kinds) and text.strip():
            try:
                return msgspec.convert(text.strip(), python, strict=False)
            except msgspec.ValidationError:
                return text
    return text


def _is_absent(shape: inspect.Type, value: Any) -> bool:
    """A blank field that the input may do without, and could not take blank."""
    if value != "":
        return False
    texts = [kind for kind in _kinds(shape) if isinstance(kind, inspect.StrType)]
    return not any(not kind.min_length and not kind.pattern for kind in texts)


def _kinds(shape: inspect.Type) -> list[inspect.Type]:
    """Without the annotations around it, and each way of a union."""
    if isinstance(shape, inspect.Metadata):
        return _kinds(shape.type)
    return (
        [kind for member in shape.types for kind in _kinds(member)] if isinstance(shape, inspect.UnionType) else [shape]
    )
