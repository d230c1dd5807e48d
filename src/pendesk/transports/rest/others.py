"""Routes under /api/v1 that are no rows of the table, for the description: a stream, and whole projects as files."""

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
    "summary": "Whether the server can do its work",
    "tags": ["health"],
    "security": [],
    "responses": {
        "200": {"description": "It can.", "content": {JSON: {"schema": {"const": {"ok": True}}}}},
        "503": RESPONSES["503"],
    },
}

_SYNC = {
    "operationId": "get_sync",
    "summary": "What this server says to another one before that sends it any secret",
    "tags": ["sync"],
    "security": [],
    "responses": {
        "200": {
            "description": "A Pendesk server, and the formats of pictures that it reads.",
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


def _other(operation: AnyOperation, tag: str, parameters: list[Schema], answers: Schema, refusals: str) -> Schema:
    return {
        "operationId": operation.name,
        "summary": operation.title,
        "description": schemas.told(operation),
        "tags": [tag],
        "security": schemas.security(operation),
        "parameters": parameters,
        "responses": {**answers, **{status: RESPONSES[status] for status in refusals.split()}},
    }


def _query(name: str, schema: Schema, told: str, place: str = "query") -> Schema:
    return {"name": name, "in": place, "required": place == "path", "schema": schema, "description": told}


def _file(told: str, kind: str) -> Schema:
    return {"description": told, "content": {kind: {"schema": {"type": "string"}}}}


_TEXT = {"type": "string", "maxLength": 64}
_NUMBER = {"type": "integer", "minimum": 0, "maximum": 2**53}
_FLAG = {"type": "boolean"}
_PROJECT = _query("project_id", {"type": "string", "minLength": 1, "maxLength": 64}, "Its pid or key.", "path")

_EVENTS = _other(
    follow_events.OPERATION,
    "events",
    [
        _query("project_id", _TEXT, "Only this project's events: its pid or key."),
        _query("action_pid", _TEXT, "Only this action's events: its pid or ref code."),
        _query("user_pid", _TEXT, "Only what this user did: their pid."),
        _query("model", {"type": "string"}, "Only by this agent model."),
        _query("kind", {"type": "array", "items": {"type": "string"}}, "Only events of these kinds."),
        _query("after", _NUMBER, "The last event number you have; without it, from now on."),
        _query("Last-Event-ID", _NUMBER, "The same, as browsers send it; it counts before after.", "header"),
    ],
    {"200": _file("Server-sent events, until you hang up: the data of each is a row of the log.", "text/event-stream")},
    "401 403 404 422 429 500 503",
)
_EXPORT = _other(
    export_project.OPERATION,
    "projects",
    [_PROJECT],
    {"200": _file("The whole project, a line for each thing in it.", "application/jsonl")},
    "401 403 404 422 429 500 503",
)
_imported = {"content": {JSON: {"schema": schemas.reference(schemas.name_of(import_project.OPERATION.output))}}}
_IMPORT = _other(
    import_project.OPERATION,
    "projects",
    [
        _query("dry_run", _FLAG, "Say what would come of it, and write nothing."),
        _query("as_copy", _FLAG, "With new ids, beside the original."),
        _query("take_part", _FLAG, "Take part in its specs."),
        _query("from", {"type": "string"}, "The program that wrote the file; without it, an export of Pendesk."),
        _query("name", {"type": "string"}, "Another name for the project."),
        _query("key", _TEXT, "Another key for its ref codes."),
    ],
    {"200": {"description": "What would be made.", **_imported}, "201": {"description": "Made.", **_imported}},
    "401 403 409 413 422 429 500 503",
)
_IMPORT["requestBody"] = schemas.file_body("The file itself", "application/jsonl", "application/octet-stream")

OTHERS: dict[str, dict[str, Any]] = {
    "/health": {"get": _HEALTH},
    "/events": {"get": _EVENTS},
    "/sync": {"get": _SYNC},
    "/projects/import": {"post": _IMPORT},
    "/projects/{project_id}/export": {"get": _EXPORT},
}
