"""Routes under /api/v1 that are not in the table, for the description: a stream, and projects as files."""

from typing import Any

from pendesk.operations.exchange import export_project, import_project
from pendesk.operations.operation import AnyOperation
from pendesk.operations.timeline import follow_events
from pendesk.transports.rest import schemas
from pendesk.transports.rest.reading import JSON
from pendesk.transports.rest.responses import RESPONSES
from pendesk.transports.rest.schemas import Schema

_HEALTH = {
    "operationId": "get_health",
    "summary": "Check the server's health",
    "tags": ["health"],
    "security": [],
    "responses": {
        "200": {"description": "The server works.", "content": {JSON: {"schema": {"const": {"ok": True}}}}},
        "503": RESPONSES["503"],
    },
}

_SYNC = {
    "operationId": "get_sync",
    "summary": "What another server reads before it sends a secret",
    "tags": ["sync"],
    "security": [],
    "responses": {
        "200": {
            "description": "A Pendesk server, and the mirror formats that it reads.",
            "content": {
                JSON: {
                    "schema": {
                        "type": "object",
                        "properties": {
                            "server": {"const": "pendesk"},
                            "version": {"type": "string"},
                            "pictureFormats": {"type": "array", "items": {"type": "integer"}},
                        },
                        "required": ["server", "version", "pictureFormats"],
                    }
                }
            },
        }
    },
}


def _describe_operation(
    operation: AnyOperation, tag: str, parameters: list[Schema], success_responses: Schema, error_statuses: str
) -> Schema:
    return {
        "operationId": operation.name,
        "summary": operation.title,
        "description": schemas.operation_description(operation),
        "tags": [tag],
        "security": schemas.security_requirements(operation),
        "parameters": parameters,
        "responses": {**success_responses, **{status: RESPONSES[status] for status in error_statuses.split()}},
    }


def _build_openapi_parameter(name: str, schema: Schema, description: str, location: str = "query") -> Schema:
    return {"name": name, "in": location, "required": location == "path", "schema": schema, "description": description}


def _describe_file_response(description: str, media_type: str) -> Schema:
    return {"description": description, "content": {media_type: {"schema": {"type": "string"}}}}


_TEXT = {"type": "string", "maxLength": 64}
_NUMBER = {"type": "integer", "minimum": 0, "maximum": 2**53}
_FLAG = {"type": "boolean"}
_PROJECT = _build_openapi_parameter(
    "project_id", {"type": "string", "minLength": 1, "maxLength": 64}, "Its pid or key.", "path"
)

_EVENTS = _describe_operation(
    follow_events.OPERATION,
    "events",
    [
        _build_openapi_parameter("project_id", _TEXT, "Only this project's events: its pid or key."),
        _build_openapi_parameter("action_pid", _TEXT, "Only this action's events: its pid or ref code."),
        _build_openapi_parameter("user_pid", _TEXT, "Only what this user did: their pid."),
        _build_openapi_parameter("model", {"type": "string"}, "Only by this agent model."),
        _build_openapi_parameter("kind", {"type": "array", "items": {"type": "string"}}, "Only events of these kinds."),
        _build_openapi_parameter("after", _NUMBER, "The last event number you have; without it, from now on."),
        _build_openapi_parameter(
            "Last-Event-ID", _NUMBER, "The same, as browsers send it; used instead of after.", "header"
        ),
    ],
    {
        "200": _describe_file_response(
            "Server-sent events, until you disconnect: the data of each is a row of the log.", "text/event-stream"
        )
    },
    "401 403 404 422 429 500 503",
)
_EXPORT = _describe_operation(
    export_project.OPERATION,
    "projects",
    [_PROJECT],
    {"200": _describe_file_response("The whole project, one line per object.", "application/jsonl")},
    "401 403 404 422 429 500 503",
)
_imported = {
    "content": {
        JSON: {"schema": schemas.schema_reference(schemas.openapi_component_name(import_project.OPERATION.output))}
    }
}
_IMPORT = _describe_operation(
    import_project.OPERATION,
    "projects",
    [
        _build_openapi_parameter("dry_run", _FLAG, "Return what would be created, and write nothing."),
        _build_openapi_parameter("as_copy", _FLAG, "With new ids, beside the original."),
        _build_openapi_parameter("take_part", _FLAG, "Become a participant of its specs."),
        _build_openapi_parameter("specs", _FLAG, "With `from`: a spec for each milestone, tag, goal or parent task."),
        _build_openapi_parameter(
            "from", {"type": "string"}, "The program that wrote the file; without it, an export of Pendesk."
        ),
        _build_openapi_parameter("name", {"type": "string"}, "Another name for the project."),
        _build_openapi_parameter("key", _TEXT, "Another key for its ref codes."),
    ],
    {"200": {"description": "What would be created.", **_imported}, "201": {"description": "Created.", **_imported}},
    "401 403 409 413 422 429 500 503",
)
_IMPORT["requestBody"] = schemas.describe_file_body("The file itself", "application/jsonl", "application/octet-stream")

SPECIAL_ROUTES: dict[str, dict[str, Any]] = {
    "/health": {"get": _HEALTH},
    "/events": {"get": _EVENTS},
    "/sync": {"get": _SYNC},
    "/projects/import": {"post": _IMPORT},
    "/projects/{project_id}/export": {"get": _EXPORT},
}
