"""docs/reference/rest.md: every route, and the operations that have none."""

from typing import Any

from pendesk.operations.registry import OPERATIONS, TOOLS
from pendesk.transports.rest.openapi import openapi_document
from pendesk.transports.rest.routes import NOT_ROUTED
from tests.reference.markdown import anchored, code, table

HEAD = """\
# REST routes

Every route under `/api/v1`. Generated from the table of routes; `make reference` writes it anew. How to call them is in
[REST](../rest.md), every field with its limits and an example in `/api/v1/openapi.json`, and what can be refused in
[refusals](refusals.md).

**Who**: the scope that a token needs, and the lowest role. *Signed in* means a person with a session: no token will do.
Required fields are **bold**; what stands in braces in a path is a field too. Every write takes an `Idempotency-Key`
where its input has `idempotency_key`.
"""
BY_NAME = {operation.name: operation for operation in OPERATIONS}
TOOL_NAMES = {operation.name for operation in TOOLS}
BY_HEADER = {"idempotency_key", "expected_revision"}

Schema = dict[str, Any]


def render() -> str:
    groups: dict[str, list[tuple[str, ...]]] = {}
    for path, methods in openapi_document()["paths"].items():
        for method, route in methods.items():
            groups.setdefault(route["tags"][0], []).append(_row(method.upper(), path, route))
    lines = [HEAD]
    for group in sorted(groups):
        lines += [f"## {group}", ""]
        lines += table(("route", "operation", "who", "input", "answer"), groups[group])
    return "\n".join([*lines, *_not_routed()])


def _row(method: str, path: str, route: Schema) -> tuple[str, ...]:
    name = route["operationId"]
    success = [status for status in route["responses"] if status.startswith("2")]
    operation = anchored(name, f"[{code(name)}](tools.md#{name})" if name in TOOL_NAMES else code(name))
    return code(f"{method} {path}"), f"{operation}: {route['summary']}", _who(name), _input(route), ", ".join(success)


def _who(name: str) -> str:
    operation = BY_NAME.get(name)
    if operation is None:
        return "anyone"
    scope = "signed in" if operation.scope == "person" else code(operation.scope)
    return f"{scope}, {operation.role.label}"


def _input(route: Schema) -> str:
    parameters = [(part["name"], part.get("required")) for part in route.get("parameters", []) if part["in"] == "query"]
    content = route.get("requestBody", {}).get("content", {})
    body = content.get("application/json", {}).get("schema", {})
    required = body.get("required", [])
    parameters += [(name, name in required) for name in body.get("properties", {}) if name not in BY_HEADER]
    names = [f"**{name}**" if wanted else name for name, wanted in parameters]
    return ", ".join(names if not content or body else [*names, "**the file as body**"])


def _not_routed() -> list[str]:
    described = {route["operationId"] for methods in openapi_document()["paths"].values() for route in methods.values()}
    rows = [
        (anchored(name, code(name)), BY_NAME[name].title, reason)
        for name, reason in NOT_ROUTED.items()
        if name not in described
    ]
    return ["## Operations without a route", "", *table(("operation", "what it does", "why"), rows)]
