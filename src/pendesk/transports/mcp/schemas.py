"""Tool schemas from the operations' types: as strict as the dispatcher, and as short as possible."""

from typing import Any

import msgspec

from pendesk.domain.limits import TEXT_CHARS
from pendesk.operations.operation import AnyOperation
from pendesk.transports.problems import SCHEMA


def input_schema(operation: AnyOperation) -> dict[str, Any]:
    (top,), parts = msgspec.json.schema_components([operation.input], ref_template="#/$defs/{name}")
    schema = _omit_unneeded_keywords(parts.pop(top["$ref"].rsplit("/", 1)[1]))
    schema.setdefault("properties", {})
    # A structure stands where it is used: shorter, and some clients do not follow references.
    inlined: dict[str, Any] = _inline_refs(
        schema, {name: _omit_unneeded_keywords(part) for name, part in parts.items()}
    )
    return inlined


def output_schema(operation: AnyOperation) -> dict[str, Any]:
    """Matches results and errors: some clients validate an error with the schema of the result."""
    (top,), parts = msgspec.json.schema_components([operation.output], ref_template="#/$defs/{name}")
    return {
        "type": "object",
        "anyOf": [top, SCHEMA],
        "$defs": {name: _omit_unneeded_keywords(part) for name, part in parts.items()},
    }


# Limits that callers rarely reach cost tokens in every session; the dispatcher enforces them all the same.
OMITTED_KEYWORDS = {"title", "minLength", "maxItems", "pattern", "minimum", "maximum"}
SHORT_CHARS = 250


def _omit_unneeded_keywords(schema: Any) -> Any:
    """Without titles, omitted limits, `null` for optional fields, and empty defaults."""
    if isinstance(schema, list):
        return [_omit_unneeded_keywords(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    short: dict[str, Any] = {
        key: _omit_unneeded_keywords_per_property(value) if key == "properties" else _omit_unneeded_keywords(value)
        for key, value in schema.items()
        if key not in OMITTED_KEYWORDS
        and not (key == "maxLength" and not SHORT_CHARS < value < TEXT_CHARS)
        and (key, value) != ("required", [])
    }
    if short.get("default", 0) in (None, [], ""):
        short.pop("default", None)
        kinds = [kind for kind in short.get("anyOf", []) if kind != {"type": "null"}]
        if len(kinds) == 1:
            short.pop("anyOf")
            short = {**kinds[0], **short}
    return short


def _omit_unneeded_keywords_per_property(properties: dict[str, Any]) -> dict[str, Any]:
    """By field: a field may be called `title` or `pattern` itself."""
    return {name: _omit_unneeded_keywords(schema) for name, schema in properties.items()}


def _inline_refs(schema: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inline_refs(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _inline_refs({**definitions[schema["$ref"].rsplit("/", 1)[1]], **rest}, definitions)
    return {key: _inline_refs(value, definitions) for key, value in schema.items()}
