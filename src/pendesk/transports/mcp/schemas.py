"""Tool schemas out of the operations' types: as strict as the dispatcher, as short as they can be."""

from typing import Any

import msgspec

from pendesk.domain.limits import TEXT_CHARS
from pendesk.operations.operation import AnyOperation
from pendesk.transports.problems import SCHEMA


def input_schema(operation: AnyOperation) -> dict[str, Any]:
    (top,), parts = msgspec.json.schema_components([operation.input], ref_template="#/$defs/{name}")
    schema = _lean(parts.pop(top["$ref"].rsplit("/", 1)[1]))
    schema.setdefault("properties", {})
    # A structure that is used once stands where it is used: shorter, and some clients do not follow references.
    whole: dict[str, Any] = _inlined(schema, {name: _lean(part) for name, part in parts.items()})
    return whole


def output_schema(operation: AnyOperation) -> dict[str, Any]:
    """Fits the answer and the refusal alike: some clients check the one against the schema of the other."""
    (top,), parts = msgspec.json.schema_components([operation.output], ref_template="#/$defs/{name}")
    return {
        "type": "object",
        "anyOf": [top, SCHEMA],
        "$defs": {name: _lean(part) for name, part in parts.items()},
    }


# Bounds that no honest caller meets cost tokens in every session; the dispatcher enforces them all the same.
SILENT = {"title", "minLength", "maxItems", "pattern", "minimum", "maximum"}
SHORT_CHARS = 250


def _lean(schema: Any) -> Any:
    """Without what says nothing: titles, silent bounds, `null` for what may be left out, empty defaults."""
    if isinstance(schema, list):
        return [_lean(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    lean: dict[str, Any] = {
        key: _lean_properties(value) if key == "properties" else _lean(value)
        for key, value in schema.items()
        if key not in SILENT
        and not (key == "maxLength" and not SHORT_CHARS < value < TEXT_CHARS)
        and (key, value) != ("required", [])
    }
    if lean.get("default", 0) in (None, [], ""):
        lean.pop("default", None)
        kinds = [kind for kind in lean.get("anyOf", []) if kind != {"type": "null"}]
        if len(kinds) == 1:
            lean.pop("anyOf")
            lean = {**kinds[0], **lean}
    return lean


def _lean_properties(properties: dict[str, Any]) -> dict[str, Any]:
    """By field: a field may be called `title` or `pattern` itself."""
    return {name: _lean(schema) for name, schema in properties.items()}


def _inlined(schema: Any, parts: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(each, parts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _inlined({**parts[schema["$ref"].rsplit("/", 1)[1]], **rest}, parts)
    return {key: _inlined(value, parts) for key, value in schema.items()}
