"""A form's fields as an operation's input: texts become numbers and lists where the input says so.

`name` twice is a list; `verdicts.0.note` is a field of the first entry of a list. What does not fit is left as it was
typed: the dispatcher refuses it and names the field.
"""

from typing import Any

from msgspec import inspect

from pendesk.domain.errors import BadField
from pendesk.operations.operation import Input
from pendesk.operations.text_input import convert_text, find_list_type, union_members

DEEPEST = 5


def convert_form_fields(input_type: type[Input], fields: list[tuple[str, str]]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, value in fields:
        if not name.startswith("_"):
            _add_nested_value(tree, name.split("."), value.replace("\r\n", "\n"))
    shape = inspect.type_info(input_type)
    assert isinstance(shape, inspect.StructType)
    return _convert_struct(shape, tree)


def _add_nested_value(tree: dict[str, Any], name_parts: list[str], value: str) -> None:
    """Leaves are lists of what was sent under that name."""
    if len(name_parts) > DEEPEST:
        raise BadField(".".join(name_parts)[:100], "is nested too deeply.")
    for part in name_parts[:-1]:
        tree = tree.setdefault(part, {})
        if not isinstance(tree, dict):
            raise BadField(".".join(name_parts)[:100], "is sent both as a value and as a group.")
    leaf = tree.setdefault(name_parts[-1], [])
    if not isinstance(leaf, list):
        raise BadField(".".join(name_parts)[:100], "is sent both as a value and as a group.")
    leaf.append(value)


def _convert_struct(shape: inspect.StructType, tree: dict[str, Any]) -> dict[str, Any]:
    fields = {field.encode_name: field for field in shape.fields}
    arguments: dict[str, Any] = {}
    for name, sent in tree.items():
        field = fields.get(name)
        value = sent if field is None else _convert_value(field.type, sent)
        if not (field is not None and not field.required and _should_omit_blank(field.type, value)):
            arguments[name] = value[-1] if field is None and isinstance(value, list) else value
    return arguments


def _convert_value(shape: inspect.Type, sent: Any) -> Any:
    items = find_list_type(shape)
    if items is not None:
        return _convert_list(items, sent)
    if isinstance(sent, dict):
        structs = (kind for kind in union_members(shape) if isinstance(kind, inspect.StructType))
        return next((_convert_struct(kind, sent) for kind in structs), sent)
    value = convert_text(shape, sent[-1].strip())
    return sent[-1] if isinstance(value, str) else value


def _convert_list(shape: inspect.ListType, sent: Any) -> list[Any]:
    if isinstance(sent, dict):
        in_order = sorted(sent.items(), key=lambda pair: (len(pair[0]), pair[0]))
        return [_convert_value(shape.item_type, entry) for _, entry in in_order]
    return [_convert_value(shape.item_type, [text]) for text in sent if text.strip()]


def _should_omit_blank(shape: inspect.Type, value: Any) -> bool:
    """A blank field that the input may do without, and could not take blank."""
    if value != "":
        return False
    texts = [kind for kind in union_members(shape) if isinstance(kind, inspect.StrType)]
    return not any(not kind.min_length and not kind.pattern for kind in texts)
