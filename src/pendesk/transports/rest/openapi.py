"""GET /api/v1/openapi.json: what the routes take and give, made from the table and the operations themselves."""

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
from pendesk.transports.rest.examples import BODIES, IDENTS
from pendesk.transports.rest.others import OTHERS
from pendesk.transports.rest.reading import JSON
from pendesk.transports.rest.responses import responses
from pendesk.transports.rest.routes import BASE, TABLE, RestRoute
from pendesk.transports.rest.schemas import Schema

ADDRESS = f"{BASE}/openapi.json"
ABOUT = """Every operation of Pendesk, for scripts and for its own pages.

Send a token (`Authorization: Bearer pendesk_mcp_...`) or the session cookie of a signed-in person. A refusal has the
status itself and a body whose message says what to do next. Lists come in pages: send `nextCursor` as `cursor`
(`after` in the log). A write with an `Idempotency-Key` may be repeated; an edit with `If-Match` is refused if
someone else was faster; a read with `If-None-Match` answers 304 where nothing has changed.
"""
SECURITY = {
    "token": {"type": "http", "scheme": "bearer", "description": "A personal token, or an OAuth access token."},
    "session": {"type": "apiKey", "in": "cookie", "name": "pendesk_session", "description": "Set by signing in."},
}
_BY_NAME = {operation.name: operation for operation in OPERATIONS}


@cache
def description() -> dict[str, Any]:
    paths: dict[str, Any] = dict(OTHERS)
    for row in TABLE:
        paths.setdefault(row.path, {})[row.method.lower()] = _operation(row, _BY_NAME[row.operation])
    return {
        "openapi": "3.1.0",
        "info": {"title": "Pendesk", "version": __version__, "description": ABOUT, "license": {"name": "Apache-2.0"}},
        "servers": [{"url": BASE}],
        "paths": paths,
        "components": {"schemas": schemas.components(), "securitySchemes": SECURITY},
    }


def _operation(row: RestRoute, operation: AnyOperation) -> Schema:
    made: Schema = {
        "operationId": operation.name,
        "summary": operation.title,
        "description": schemas.told(operation),
        "tags": [_tag(row.path)],
        "security": schemas.security(operation),
        "parameters": _parameters(row, operation),
        "responses": responses(row, operation),
    }
    return {**made, "requestBody": _body(row, operation)} if row.method not in ("GET", "DELETE") else made


def _tag(path: str) -> str:
    parts = path.strip("/").split("/")
    return parts[2] if len(parts) > 2 and parts[0] == "projects" else parts[0]


def _parameters(row: RestRoute, operation: AnyOperation) -> list[Schema]:
    fields, required = schemas.properties(operation)
    in_path = schemas.field_names(row.path)
    found = [_parameter("path", name, fields[name], True, IDENTS.get(name)) for name in in_path]
    if row.method in ("GET", "DELETE") or row.body != "json":
        by_body = {"content", "receipt", "mapping"}
        left = [name for name in fields if name not in {*in_path, *schemas.BY_HEADER, *by_body}]
        found += [_parameter("query", name, fields[name], name in required, IDENTS.get(name)) for name in left]
    found += [
        _parameter("header", schemas.BY_HEADER[name], _text(name)) for name in schemas.BY_HEADER if name in fields
    ]
    if row.method == "GET":
        found.append(_parameter("header", "If-None-Match", {"type": "string", "description": "The ETag you have."}))
    return found


def _text(field: str) -> Schema:
    if field == "idempotency_key":
        return {"type": "string", "minLength": 1, "maxLength": 128, "description": "Makes a repeated call safe."}
    return {"type": "string", "description": "The ETag of the text you edited: 409 if it has changed since."}


def _parameter(place: str, name: str, schema: Schema, required: bool = False, example: Any = None) -> Schema:
    bare = next((each for each in schema.get("anyOf", []) if each != {"type": "null"}), schema)
    shown = {key: value for key, value in bare.items() if key != "description"}
    made = {"name": name, "in": place, "required": required, "schema": shown}
    told = bare.get("description") or schema.get("description")
    return made | ({"description": told} if told else {}) | ({"example": example} if example else {})


def _body(row: RestRoute, operation: AnyOperation) -> Schema:
    if row.body == "file":
        return schemas.file_body("The file itself", "application/octet-stream")
    if row.body == "text":
        return schemas.file_body("The report file itself", "text/plain")
    schema = schemas.body_schema(row, operation)
    content = {"schema": schema} | ({"example": BODIES[row.operation]} if row.operation in BODIES else {})
    return {"required": bool(schema["required"]), "content": {JSON: content}}


@cache
def _encoded() -> bytes:
    return encode_json(description())


async def get_openapi(_request: Request) -> Response:
    return Response(_encoded(), media_type=JSON)


async def get_index(request: Request) -> Response:
    origin = request.app.state.service.installation.public_url
    return json_response({"name": "Pendesk", "version": __version__, "openapi": origin + ADDRESS})


ROUTES = [Route(BASE, get_index, methods=["GET"]), Route(ADDRESS, get_openapi, methods=["GET"])]
