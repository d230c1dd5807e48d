"""GET /api/v1/openapi.json: inputs and outputs of the routes, generated from the table and the operations."""

from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pendesk import __version__
from pendesk.operations.operation import AnyOperation, encode_json
from pendesk.operations.registry import OPERATIONS
from pendesk.transports.problems import json_response
from pendesk.transports.rest import schemas
from pendesk.transports.rest.examples import BODIES, PARAMETERS
from pendesk.transports.rest.reading import JSON
from pendesk.transports.rest.responses import describe_responses_by_status
from pendesk.transports.rest.routes import BASE, TABLE, RestRoute
from pendesk.transports.rest.schemas import Schema
from pendesk.transports.rest.special_routes import SPECIAL_ROUTES

OPENAPI_PATH = f"{BASE}/openapi.json"
INTRODUCTION = """Every operation of Pendesk, for scripts and for its own pages.

Send a token (`Authorization: Bearer pendesk_mcp_...`) or the session cookie of a signed-in person. An error has its
status and a body whose message says what to do next. Lists come in pages: send `nextCursor` as `cursor`
(`after` in the log). A write with an `Idempotency-Key` may be repeated; an edit with `If-Match` is refused if
someone else has changed it; a read with `If-None-Match` answers 304 if nothing has changed.
"""
SECURITY = {
    "token": {"type": "http", "scheme": "bearer", "description": "A personal token, or an OAuth access token."},
    "session": {"type": "apiKey", "in": "cookie", "name": "pendesk_session", "description": "Set by signing in."},
}
_BY_NAME = {operation.name: operation for operation in OPERATIONS}


@cache
def openapi_document() -> dict[str, Any]:
    paths: dict[str, Any] = dict(SPECIAL_ROUTES)
    for row in TABLE:
        paths.setdefault(row.path, {})[row.method.lower()] = _describe_operation(row, _BY_NAME[row.operation])
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pendesk",
            "version": __version__,
            "description": INTRODUCTION,
            "license": {"name": "Apache-2.0"},
        },
        "servers": [{"url": BASE}],
        "paths": paths,
        "components": {"schemas": schemas.component_schemas(), "securitySchemes": SECURITY},
    }


def _describe_operation(route: RestRoute, operation: AnyOperation) -> Schema:
    described: Schema = {
        "operationId": operation.name,
        "summary": operation.title,
        "description": schemas.operation_description(operation),
        "tags": [_tag_for_path(route.path)],
        "security": schemas.security_requirements(operation),
        "parameters": _describe_parameters(route, operation),
        "responses": describe_responses_by_status(route, operation),
    }
    return (
        {**described, "requestBody": _describe_request_body(route, operation)}
        if route.method not in ("GET", "DELETE")
        else described
    )


def _tag_for_path(path: str) -> str:
    parts = path.strip("/").split("/")
    return parts[2] if len(parts) > 2 and parts[0] == "projects" else parts[0]


def _describe_parameters(route: RestRoute, operation: AnyOperation) -> list[Schema]:
    fields, required = schemas.input_properties_and_required(operation)
    in_path = schemas.path_field_names(route.path)
    parameters = [_build_openapi_parameter("path", name, fields[name], True, PARAMETERS.get(name)) for name in in_path]
    if route.method in ("GET", "DELETE") or route.body != "json":
        by_body = {"content", "receipt", "mapping"}
        in_query = [name for name in fields if name not in {*in_path, *schemas.BY_HEADER, *by_body}]
        parameters += [
            _build_openapi_parameter("query", name, fields[name], name in required, PARAMETERS.get(name))
            for name in in_query
        ]
    parameters += [
        _build_openapi_parameter("header", schemas.BY_HEADER[name], _header_schema_for_input_field(name))
        for name in schemas.BY_HEADER
        if name in fields
    ]
    if route.method == "GET":
        parameters.append(
            _build_openapi_parameter("header", "If-None-Match", {"type": "string", "description": "The ETag you have."})
        )
    return parameters


def _header_schema_for_input_field(field: str) -> Schema:
    if field == "idempotency_key":
        return {"type": "string", "minLength": 1, "maxLength": 128, "description": "Makes a repeated call safe."}
    return {"type": "string", "description": "The ETag of the text you edited: 409 if it has changed since."}


def _build_openapi_parameter(
    location: str, name: str, schema: Schema, required: bool = False, example: Any = None
) -> Schema:
    not_null = next((kind for kind in schema.get("anyOf", []) if kind != {"type": "null"}), schema)
    kind = {key: value for key, value in not_null.items() if key != "description"}
    parameter = {"name": name, "in": location, "required": required, "schema": kind}
    text = not_null.get("description") or schema.get("description")
    return parameter | ({"description": text} if text else {}) | ({"example": example} if example else {})


def _describe_request_body(route: RestRoute, operation: AnyOperation) -> Schema:
    if route.body == "file":
        return schemas.describe_file_body("The file itself", "application/octet-stream")
    if route.body == "text":
        return schemas.describe_file_body("The report file itself", "text/plain")
    schema = schemas.request_body_schema(route, operation)
    content = {"schema": schema} | ({"example": BODIES[route.operation]} if route.operation in BODIES else {})
    return {"required": bool(schema["required"]), "content": {JSON: content}}


@cache
def _openapi_document_json() -> bytes:
    return encode_json(openapi_document())


async def get_openapi(_request: Request) -> Response:
    return Response(_openapi_document_json(), media_type=JSON)


async def get_api_index(request: Request) -> Response:
    origin = request.app.state.service.installation.public_url
    return json_response({"name": "Pendesk", "version": __version__, "openapi": origin + OPENAPI_PATH})


ROUTES = [Route(BASE, get_api_index, methods=["GET"]), Route(OPENAPI_PATH, get_openapi, methods=["GET"])]
