"""Tool schemas from the operations' types: as strict as the dispatcher, and as short as possible."""

import re
from collections.abc import Set
from typing import Any, NamedTuple

import msgspec

from pendesk.operations.actions.action_fields import AssigneeResult
from pendesk.operations.actions.task_results import Task
from pendesk.operations.availability import HeldBy, WaitsFor
from pendesk.operations.building.brief_results import (
    AttachmentBrief,
    HandOver,
    PrerequisiteCode,
    SubmissionBrief,
    YourWork,
)
from pendesk.operations.building.results import ClaimResult, ClarificationResult
from pendesk.operations.changes.deviations import DeviationResult
from pendesk.operations.operation import AnyOperation
from pendesk.operations.overlap_results import OverlapResult
from pendesk.operations.projects.search import Found
from pendesk.operations.runs.run_results import RunResult
from pendesk.operations.session_news import NewsItem
from pendesk.operations.truncate import Truncatable
from pendesk.transports.problems import SCHEMA


class Omitted(NamedTuple):
    keywords: Set[str]
    fields: Set[str]
    structures: Set[str]  # a plain object stands for one, a plain array for many


# How much a caller may write stands in the schema. What else the dispatcher checks costs tokens in every session, and
# its refusal says it: that a text is not empty, its form, and the limits of what is only copied from an answer or has
# room for every use.
UNSAID = {"minLength", "pattern"}
LIMITS = {"maxLength", "maxItems", "minimum", "maximum"}
COPIED = re.compile(
    r"(_id|_ids|_pid|_rev|_revision|_url|Id)$|^(assignee|cursor|due|head_sha|idempotency_key|rest|sha|sync_token)$"
)
AMPLE = 1_000_000
FROM_INPUTS = Omitted(keywords={"title", *UNSAID}, fields=set(), structures=set())
# What many results share, and what says more to people than to agents: in docs/reference/tools.md, or by the tool whose
# whole result it is.
DESCRIBED_ONCE = (
    *(AttachmentBrief, ClaimResult, ClarificationResult, HandOver, HeldBy, NewsItem, RunResult, Task, WaitsFor),
    *(AssigneeResult, DeviationResult, Found, OverlapResult, PrerequisiteCode, SubmissionBrief, YourWork),
)
# What a field means, the tool's text says. A default is the value of a field that is left out. Of the rows inside a
# result it says what they hold, not what each of them must have.
FROM_RESULTS = Omitted(
    keywords={"title", "default", "description", "required", *UNSAID, *LIMITS},
    fields={*Truncatable.__struct_encode_fields__, "news"},
    structures={kind.__name__ for kind in DESCRIBED_ONCE},
)
PLAIN_OBJECT = {"type": "object"}
# Its field is defined too: a strict Ajv refuses to compile a schema that requires what it does not define.
REFUSAL = {"properties": {name: {} for name in SCHEMA["properties"]}, "required": SCHEMA["required"]}


def input_schema(operation: AnyOperation) -> dict[str, Any]:
    return {"type": "object", "properties": {}, **_schema(operation.input, FROM_INPUTS)}


def output_schema(operation: AnyOperation) -> dict[str, Any]:
    """Matches results and refusals: some clients validate a refusal with the schema of the result."""
    result = _schema(operation.output, FROM_RESULTS)
    required = msgspec.json.schema(operation.output)["$defs"][operation.output.__name__].get("required", [])
    return {"type": result.pop("type"), "anyOf": [result | {"required": required}, REFUSAL]}


def _schema(kind: type, omitted: Omitted) -> dict[str, Any]:
    """A structure stands where it is used first: shorter, and some clients do not follow references."""
    (top,), parts = msgspec.json.schema_components([kind], ref_template="{name}")
    definitions = parts | dict.fromkeys(omitted.structures, PLAIN_OBJECT)
    schema: dict[str, Any] = _shorten(_inline_refs(parts[top["$ref"]], definitions, set()), omitted)
    return schema


def _inline_refs(schema: Any, definitions: dict[str, Any], inlined: set[str]) -> Any:
    """Where a structure comes again, a plain object stands for it."""
    if isinstance(schema, list):
        return [_inline_refs(item, definitions, inlined) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"]
        beside_ref = {key: value for key, value in schema.items() if key != "$ref"}
        definition = PLAIN_OBJECT if name in inlined else definitions[name]
        inlined.add(name)
        return _inline_refs({**definition, **beside_ref}, definitions, inlined)
    return {key: _inline_refs(value, definitions, inlined) for key, value in schema.items()}


def _shorten(schema: Any, omitted: Omitted) -> Any:
    """Without what is omitted, `null` for optional fields, and empty defaults."""
    if isinstance(schema, list):
        return [_shorten(item, omitted) for item in schema]
    if not isinstance(schema, dict):
        return schema
    has_empty_default = schema.get("default", 1) in (None, [], "", 0)
    if schema.get("maximum", 0) >= AMPLE:
        omitted = omitted._replace(keywords={*omitted.keywords, *LIMITS})
    short = {
        key: _shorten_properties(value, omitted) if key == "properties" else _shorten(value, omitted)
        for key, value in schema.items()
        if key not in omitted.keywords
        and (key, value) not in (("required", []), ("items", PLAIN_OBJECT))
        and not (key == "default" and has_empty_default)
    }
    return _shorten_nullable(short, is_null_left_out=has_empty_default)


def _shorten_properties(properties: dict[str, Any], omitted: Omitted) -> dict[str, Any]:
    """By field: a field may be called `title` or `pattern` itself."""
    without_limits = omitted._replace(keywords={*omitted.keywords, *LIMITS})
    return {
        name: _shorten(schema, without_limits if COPIED.search(name) else omitted)
        for name, schema in properties.items()
        if name not in omitted.fields
    }


def _shorten_nullable(schema: dict[str, Any], *, is_null_left_out: bool) -> dict[str, Any]:
    match schema.get("anyOf"):
        # Words or a number: numbers are read all the same.
        case [{"enum": _} as words, {"type": "integer"}, *_]:
            nullable = words
        case [kind, {"type": "null"}] if is_null_left_out:
            nullable = kind
        case [*kinds, {"type": "null"}] if is_null_left_out:
            nullable = {"anyOf": kinds}
        case [{"type": str(name)} as kind, {"type": "null"}]:
            nullable = {**kind, "type": [name, "null"]}
        case _:
            return schema
    return {**nullable, **{key: value for key, value in schema.items() if key != "anyOf"}}
