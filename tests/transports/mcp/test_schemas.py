"""The schemas of results: short, and still what a typed client can rely on."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pendesk.domain.errors import NotFound
from pendesk.operations.operation import AnyOperation
from pendesk.operations.registry import TOOLS
from pendesk.operations.truncate import Truncatable
from pendesk.transports.mcp.schemas import input_schema, output_schema
from pendesk.transports.problems import refusal_or_internal_error_body

Schema = dict[str, Any]
# Described once: in docs/reference/tools.md, or by the tool whose whole result it is.
DESCRIBED_ONCE = {
    "AssigneeResult",
    "AttachmentBrief",
    "ClaimResult",
    "ClarificationResult",
    "DeviationResult",
    "Found",
    "HandOver",
    "HeldBy",
    "NewsItem",
    "OverlapResult",
    "RunResult",
    "SubmissionBrief",
    "Task",
    "WaitsFor",
    "YourWork",
    "PrerequisiteCode",
}
IN_ANY_RESULT = {*Truncatable.__struct_encode_fields__, "news"}


class FullSchema:
    """What msgspec knows of an output, with every keyword."""

    def __init__(self, operation: AnyOperation) -> None:
        self.parts: dict[str, Schema]
        (top,), self.parts = msgspec.json.schema_components([operation.output], ref_template="{name}")
        self.structure = self.parts[top["$ref"]]
        self._seen: set[str] = set()

    def resolve(self, schema: Schema) -> Schema:
        """Without the reference, and without the null beside it."""
        kinds = [kind for kind in schema.get("anyOf", [schema]) if kind != {"type": "null"}]
        assert len(kinds) == 1, schema
        kind: Schema = kinds[0]
        return self.parts[kind["$ref"]] if "$ref" in kind else kind

    def differences(self, short: Schema, full: Schema, place: str) -> list[str]:
        """Where the short schema lacks a field, a type or, of the result itself, what is required."""
        resolved = self.resolve(full)
        if place and "enum" not in resolved and short["type"] != types(full):
            return [place]
        if place and self._is_described_once(resolved):
            return [] if short.keys() == {"type"} else [place]
        if "properties" in resolved:
            return self._differences_of_fields(short, resolved, place)
        if "items" in resolved:
            return self.differences(short["items"], resolved["items"], f"{place}[]")
        return [place for key in ("enum", "additionalProperties") if short.get(key) != resolved.get(key)]

    def _is_described_once(self, resolved: Schema) -> bool:
        """Itself, or what it is a list of; and in each result only the first of its kind."""
        item = self.resolve(resolved["items"]) if "items" in resolved else resolved
        title = item.get("title", "")
        is_again = title in self._seen
        if "properties" in resolved:
            self._seen.add(title)
        return title in DESCRIBED_ONCE or is_again

    def _differences_of_fields(self, short: Schema, resolved: Schema, place: str) -> list[str]:
        fields = {name: field for name, field in resolved["properties"].items() if name not in IN_ANY_RESULT}
        # What is required of a row inside a result says nothing to a model.
        required = [] if place else resolved["required"]
        if short["properties"].keys() != fields.keys() or short.get("required", []) != required:
            return [place]
        return [
            difference
            for name, field in fields.items()
            for difference in self.differences(short["properties"][name], field, f"{place}.{name}")
        ]


def types(full: Schema) -> str | list[str]:
    """The type of a value; null is one only where the field is always there."""
    names = ["object" if "$ref" in kind else kind["type"] for kind in full.get("anyOf", [full])]
    present = [name for name in names if name != "null" or full.get("default", 0) is not None]
    return present[0] if len(present) == 1 else present


@pytest.mark.parametrize("operation", TOOLS, ids=lambda operation: operation.name)
def test_a_result_has_every_field_with_its_type_and_what_is_required(operation):
    full = FullSchema(operation)
    result, _refusal = output_schema(operation)["anyOf"]
    assert full.differences(result, full.structure, "") == []


@pytest.mark.parametrize("operation", TOOLS, ids=lambda operation: operation.name)
def test_a_refusal_fits_and_half_a_result_does_not(operation):
    schema = Draft202012Validator(output_schema(operation))
    assert schema.is_valid(refusal_or_internal_error_body(NotFound("thing", "x")))
    assert schema.is_valid(refusal_or_internal_error_body(None))
    assert not schema.is_valid({})
    assert not schema.is_valid([])


def objects_in(schema: Any) -> Iterator[Schema]:
    if isinstance(schema, dict):
        yield schema
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from objects_in(part)


@pytest.mark.parametrize("operation", TOOLS, ids=lambda operation: operation.name)
def test_what_is_required_is_defined_beside_it(operation):
    """A client with a strict Ajv could not even list the tools: it refuses to compile such a schema."""
    for schema in (input_schema(operation), output_schema(operation)):
        for part in objects_in(schema):
            required = part.get("required", [])
            assert not isinstance(required, list) or set(required) <= part.get("properties", {}).keys()
