"""JSON schemas of the routes' inputs and outputs, from the operations' types."""

import re
from functools import cache
from typing import Any

import msgspec

from pendesk.domain.access import TOKEN_SCOPES, Scope
from pendesk.operations.operation import AnyOperation
from pendesk.operations.registry import OPERATIONS
from pendesk.transports.problems import SCHEMA
from pendesk.transports.rest.multipart import FILE, FORM
from pendesk.transports.rest.routes import RestRoute

Schema = dict[str, Any]

REF = "#/components/schemas/{name}"
# Fields that may also be sent as headers.
BY_HEADER = {"idempotency_key": "Idempotency-Key", "expected_revision": "If-Match"}


def path_field_names(path: str) -> list[str]:
    return re.findall(r"{(\w+)}", path)


def schema_reference(name: str) -> Schema:
    return {"$ref": REF.format(name=name)}


@cache
def component_schemas() -> dict[str, Schema]:
    types = [kind for operation in OPERATIONS for kind in (operation.input, operation.output)]
    _, parts = msgspec.json.schema_components(types, ref_template=REF)
    return {"Error": SCHEMA, **{_schema_name(name): _to_openapi(part) for name, part in parts.items()}}


def openapi_component_name(struct_type: type) -> str:
    """A schema's name; if two types share one, msgspec adds the module."""
    full_name = f"{struct_type.__module__}.{struct_type.__qualname__}"
    return _schema_name(full_name) if _schema_name(full_name) in component_schemas() else struct_type.__name__


def input_properties_and_required(operation: AnyOperation) -> tuple[dict[str, Schema], list[str]]:
    """The fields of an input, and which of them are required."""
    schema = component_schemas()[openapi_component_name(operation.input)]
    return schema.get("properties", {}), schema.get("required", [])


def operation_description(operation: AnyOperation) -> str:
    return f"{operation.description}\n\nScope: {operation.scope}. Role: {operation.role.label} or above."


def security_requirements(operation: AnyOperation) -> list[dict[str, list[str]]]:
    """A signed-in person always may; a token only if tokens can have the scope."""
    scopes = [operation.scope.value] if operation.scope is not Scope.ANY else []
    by_token = operation.scope in TOKEN_SCOPES or operation.scope is Scope.ANY
    return [*([{"token": scopes}] if by_token else []), {"session": scopes}]


def request_body_schema(route: RestRoute, operation: AnyOperation) -> Schema:
    """The input without the fields in the path."""
    fields, required = input_properties_and_required(operation)
    in_body = [name for name in fields if name not in path_field_names(route.path)]
    return {
        "type": "object",
        "properties": {name: fields[name] for name in in_body},
        "required": [name for name in required if name in in_body],
        "additionalProperties": False,
    }


def _schema_name(qualified_name: str) -> str:
    """`pendesk.operations.specs.list_specs.SpecRow` becomes ListSpecsSpecRow."""
    *modules, own = qualified_name.split(".")
    return modules[-1].title().replace("_", "") + own if modules else own


def _to_openapi(schema: Any) -> Any:
    """JSON Schema has ECMAScript's patterns, which have no \\A and \\Z."""
    if isinstance(schema, list):
        return [_to_openapi(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _schema_value_to_openapi(key, value)
        for key, value in schema.items()
        if key != "title" or isinstance(value, dict)
    }


def _schema_value_to_openapi(key: str, value: Any) -> Any:
    if key == "pattern" and isinstance(value, str):
        return value.replace(r"\A", "^").replace(r"\Z", "$")
    if key == "$ref":
        return REF.format(name=_schema_name(value.rsplit("/", 1)[1]))
    return _to_openapi(value)


def describe_file_body(description: str, *media_types: str) -> Schema:
    part = {"type": "string", "format": "binary"}
    form = {"type": "object", "properties": {FILE: part}, "required": [FILE], "additionalProperties": False}
    description = f"{description}, or a form with it as the part `{FILE}`; other parts are fields, as in the query."
    content: Schema = {**{media_type: {} for media_type in media_types}, FORM: {"schema": form}}
    return {"required": True, "description": description, "content": content}
