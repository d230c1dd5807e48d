"""docs/reference/tools.md: what agents see over MCP, from the operations themselves."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import msgspec

from pendesk.operations.availability import HeldBy, WaitsFor
from pendesk.operations.building.brief_results import AttachmentBrief
from pendesk.operations.building.results import ClaimResult
from pendesk.operations.operation import AnyOperation
from pendesk.operations.registry import TOOLS
from pendesk.operations.session_news import NewsItem
from pendesk.operations.truncate import Rest
from pendesk.transports.problems import SCHEMA
from tests.reference.markdown import code, plain, table

HEAD = """\
# Tools

What agents see over MCP, in this order, as far as their token's scopes allow. Generated from the operations; `make
reference` writes it anew. `task` is the planning tools' word for an [action](../glossary.md#work). What the tools cost
in tokens is in [the token budget](token-budget.md), what they may refuse in [refusals](refusals.md), and the rest of
what can be done in [REST](rest.md), where every tool has a route too.

Required fields are **bold**. A field that takes an id takes a pid; for projects and actions their key or ref code too.
Answers are JSON objects; fields that are empty are left out.

## In many tools

The schemas of the tools do not repeat this, so that they stay short. Three inputs are optional in many writes:

| input | what it does |
| --- | --- |
| `claim_id` | the `claim.id` that `claim_action` gave: the call is refused (409) if that claim was lost |
| `brief_rev` | the `briefRev` you work from: an `advisory` says if it has changed; a brief has only what did |
| `idempotency_key` | any unique text: a repeated call with it changes nothing and gives the first answer again |

And these stand in the answers of many:
"""
# In the answers of many tools: what each field is, and of which type where it has fields of its own.
SHARED: dict[str, tuple[str, type | None]] = {
    "news": ("what people did since your last call: a verdict, an answer, a claim released; each once", NewsItem),
    "claim": ("your claim on the action, while you hold it", ClaimResult),
    "availability": (
        "whether you can have the action: mine, changes_requested (of your user), free, blocked, held, in_review, "
        "done, wont_do or not_ready",
        None,
    ),
    "heldBy": ("who holds it, where it is held", HeldBy),
    "waitsFor": (
        "what must be done first, where it is blocked; startWith, what can be started for that now; note, that a "
        "person decides about what was dropped; no refCode where the caller may not see it",
        WaitsFor,
    ),
    "attachments": (
        "files of the spec; in a brief with a url that needs no token and works until expiresAt",
        AttachmentBrief,
    ),
    "cut": (
        "what does not fit into the answer: plan.approach was left out, plan.approach:2000 goes on after 2,000 "
        "characters; any answer may have it",
        None,
    ),
    "readOn": ("how to read it", None),
    "rest": ("the part that the input rest named; next is where it continues, if it does", Rest),
}
Schema = dict[str, Any]
GROUPS = {
    "specs.read": "Building",
    "builds.write": "Building",
    "desk.read": "Planning",
    "desk.write": "Planning",
    "specs.write": "Drafting",
}
LONGEST_ENUM = 8


def render() -> str:
    lines = [HEAD, *_shared_fields()]
    for group, operations in groupby(TOOLS, lambda operation: GROUPS[operation.scope]):
        lines += [f"## {group}", ""]
        for operation in operations:
            lines += _section(operation)
    return "\n".join(lines)


def _shared_fields() -> list[str]:
    refusal = _names_with_types(_walk(SCHEMA["properties"]["error"], {}, "", True))
    rows = [(code("error"), "instead of an answer, if the call was refused: see [refusals](refusals.md)", refusal)]
    for name, (meaning, kind) in SHARED.items():
        rows.append((code(name), meaning, _names_with_types(fields(kind)) if kind else ""))
    return table(("field", "what it is", "its fields"), rows)


def _names_with_types(described_fields: Iterable[tuple[str, Schema, bool]]) -> str:
    return ", ".join(
        f"{code(name)} {_kind(schema)}{'' if required else ' (optional)'}"
        for name, schema, required in described_fields
    )


def _section(operation: AnyOperation) -> list[str]:
    needs = f"Scope `{operation.scope}`, role {operation.role.label} or above."
    rows = [
        (f"**{code(name)}**" if required else code(name), _type(schema), plain(schema.get("description", "")))
        for name, schema, required in fields(operation.input)
    ]
    return [
        f"### {operation.name}",
        "",
        f"{plain(operation.description)} {needs}",
        "",
        *(table(("input", "type", "what it is"), rows) if rows else ["No input.", ""]),
        f"Answer: {_answer(operation)}.",
        "",
    ]


def fields(kind: type) -> Iterator[tuple[str, Schema, bool]]:
    """Every field of an input as (name, schema, required); those of a list's items as `list[].name`."""
    (top,), parts = msgspec.json.schema_components([kind])
    yield from _walk(top, parts, "", True)


def _walk(schema: Schema, parts: dict[str, Schema], prefix: str, wanted: bool) -> Iterator[tuple[str, Schema, bool]]:
    structure = _resolve(schema, parts)
    required = structure.get("required", [])
    for name, field in structure.get("properties", {}).items():
        value = _resolve(field, parts)
        yield prefix + name, value, wanted and name in required
        inner = _resolve(value.get("items", {}), parts) if value.get("type") == "array" else value
        if "properties" in inner:
            dots = "[]." if value.get("type") == "array" else "."
            yield from _walk(inner, parts, f"{prefix}{name}{dots}", name in required)


def _resolve(schema: Schema, parts: dict[str, Schema]) -> Schema:
    """Without references, and without `null` for what may be left out."""
    kinds = [kind for kind in schema.get("anyOf", []) if kind != {"type": "null"}]
    if len(kinds) == 1:
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return _resolve({**kinds[0], **rest}, parts)
    if "$ref" in schema:
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _resolve({**parts[schema["$ref"].rsplit("/", 1)[1]], **rest}, parts)
    return schema


def _type(schema: Schema) -> str:
    parts = [_kind(schema), _bounds(schema)]
    if schema.get("default") not in (None, [], "", {}):
        parts.append(f"default {code(schema['default'])}")
    return ", ".join(part for part in parts if part)


def _kind(schema: Schema) -> str:
    if "enum" in schema:
        values = [code(value) for value in schema["enum"] if value is not None]
        return ", ".join([*values[:LONGEST_ENUM], *(["…"] if len(values) > LONGEST_ENUM else [])])
    if schema.get("type") == "array":
        items = schema.get("items", {})
        return f"list of {_kind(items) if 'enum' in items else items.get('type', 'object')}"
    return str(schema.get("type", "any"))


def _bounds(schema: Schema) -> str:
    low = schema.get("minimum", schema.get("minLength", schema.get("minItems")))
    high = schema.get("maximum", schema.get("maxLength", schema.get("maxItems")))
    unit = " characters" if "maxLength" in schema else " items" if "maxItems" in schema else ""
    if high is None:
        return "" if low is None else f"{low}{unit} or more"
    return f"{low} to {high}{unit}" if low else f"up to {high}{unit}"


def _answer(operation: AnyOperation) -> str:
    """The fields of the answer and, in brackets, of what stands in them: one level is enough to find the way."""
    (top,), parts = msgspec.json.schema_components([operation.output])
    properties = _resolve(top, parts).get("properties", {})
    return ", ".join(_answer_field(name, _resolve(field, parts), parts) for name, field in properties.items())


def _answer_field(name: str, field: Schema, parts: dict[str, Schema]) -> str:
    many = field.get("type") == "array"
    inner = _resolve(field.get("items", {}), parts) if many else field
    names = ", ".join(inner.get("properties", {}))
    return code(f"{name}[]" if many else name) + (f" ({names})" if names else "")
