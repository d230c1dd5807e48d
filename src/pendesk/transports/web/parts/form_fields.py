"""A form's fields as an operation's input: texts become numbers and lists where the input says so.

`name` twice is a list; `verdicts.0.note` is a field of the first entry of a list. What does not fit is left as it was
typed: the dispatcher refuses it and names the field.
"""

from typing import Any

from msgspec import inspect

from pendesk.domain.errors import BadField
from pendesk.operations.operation import Input
from pendesk.operations.text_input import alternatives, convert_text, list_type

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
    fields = {field.encode_name: field for field in shape.fields}
    arguments: dict[str, Any] = {}
    for name, sent in tree.items():
        field = fields.get(name)
        value = sent if field is None else _value(field.type, sent)
        if not (field is not None and not field.required and _is_absent(field.type, value)):
            arguments[name] = value[-1] if field is None and isinstance(value, list) else value
    return arguments


def _value(shape: inspect.Type, sent: Any) -> Any:
    items = list_type(shape)
    if items is not None:
        return _list(items, sent)
    if isinstance(sent, dict):
        structs = (kind for kind in alternatives(shape) if isinstance(kind, inspect.StructType))
        return next((_struct(kind, sent) for kind in structs), sent)
    value = convert_text(shape, sent[-1].strip())
    return sent[-1] if isinstance(value, str) else value


def _list(shape: inspect.ListType, sent: Any) -> list[Any]:
    if isinstance(sent, dict):
        in_order = sorted(sent.items(), key=lambda pair: (len(pair[0]), pair[0]))
        return [_value(shape.item_type, entry) for _, entry in in_order]
    return [_value(shape.item_type, [text]) for text in sent if text.strip()]


def _is_absent(shape: inspect.Type, value: Any) -> bool:
    """A blank field that the input may do without, and could not take blank."""
    if value != "":
        return False
    texts = [kind for kind in alternatives(shape) if isinstance(kind, inspect.StrType)]
    return not any(not kind.min_length and not kind.pattern for kind in texts)
