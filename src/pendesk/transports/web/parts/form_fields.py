"""A form's fields as an operation's input: texts become numbers and lists where the input says so.

`name` twice is a list; `verdicts.0.note` is a field of the first entry of a list. What does not fit is left as it was
typed: the dispatcher refuses it and names the field.
"""

from typing import Any

from msgspec import inspect

from pendesk.domain.errors import BadField
from pendesk.operations.operation import Input
from pendesk.operations.text_input import convert_to_type_or_keep_text, list_type_in_union, union_members

DEEPEST = 5


def form_fields_to_arguments(input_type: type[Input], fields: list[tuple[str, str]]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, value in fields:
        if not name.startswith("_"):
            _add_nested_value(tree, name.split("."), value.replace("\r\n", "\n"))
    shape = inspect.type_info(input_type)
    assert isinstance(shape, inspect.StructType)
    return _form_tree_to_arguments(shape, tree)


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


def _form_tree_to_arguments(struct_type: inspect.StructType, form_tree: dict[str, Any]) -> dict[str, Any]:
    fields = {field.encode_name: field for field in struct_type.fields}
    arguments: dict[str, Any] = {}
    for name, sent in form_tree.items():
        field = fields.get(name)
        value = sent if field is None else _convert_form_value(field.type, sent)
        if not (field is not None and not field.required and _should_omit_blank(field.type, value)):
            arguments[name] = value[-1] if field is None and isinstance(value, list) else value
    return arguments


def _convert_form_value(field_type: inspect.Type, form_value: Any) -> Any:
    items = list_type_in_union(field_type)
    if items is not None:
        return _convert_form_value_to_list(items, form_value)
    if isinstance(form_value, dict):
        structs = (kind for kind in union_members(field_type) if isinstance(kind, inspect.StructType))
        return next((_form_tree_to_arguments(kind, form_value) for kind in structs), form_value)
    value = convert_to_type_or_keep_text(field_type, form_value[-1].strip())
    return form_value[-1] if isinstance(value, str) else value


def _convert_form_value_to_list(list_type: inspect.ListType, form_value: Any) -> list[Any]:
    if isinstance(form_value, dict):
        in_order = sorted(form_value.items(), key=lambda pair: (len(pair[0]), pair[0]))
        return [_convert_form_value(list_type.item_type, entry) for _, entry in in_order]
    return [_convert_form_value(list_type.item_type, [text]) for text in form_value if text.strip()]


def _should_omit_blank(field_type: inspect.Type, value: Any) -> bool:
    """A blank field that the input may do without, and could not take blank."""
    if value != "":
        return False
    texts = [kind for kind in union_members(field_type) if isinstance(kind, inspect.StrType)]
    return not any(not kind.min_length and not kind.pattern for kind in texts)
