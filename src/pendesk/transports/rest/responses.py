"""Every response of a route, for the description."""

from pendesk.operations.operation import AnyOperation
from pendesk.transports.problems import error_body
from pendesk.transports.rest import schemas
from pendesk.transports.rest.examples import example_response_by_operation
from pendesk.transports.rest.reading import JSON
from pendesk.transports.rest.routes import RestRoute
from pendesk.transports.rest.schemas import Schema

# What a caller names who writes about something as it was; it may be otherwise by then.
AS_IT_WAS = {"expected_revision", "claim_id", "present_rev"}
# Refused with 409 although their input has none of these.
CONFLICTS = {"accept_deviations", "claim_action", "review_action"}
_EXAMPLE = error_body(404, "not_found", "No note 'x' is visible to you. list_notes shows those of a project.")
_TEXT = {"schema": {"type": "string"}}


def _describe_error_response(status: int, description: str, **headers: Schema) -> Schema:
    content = {"schema": schemas.schema_reference("Error")} | ({"example": _EXAMPLE} if status == 404 else {})
    return {"description": description, "content": {JSON: content}} | ({"headers": headers} if headers else {})


RESPONSES = {
    "401": _describe_error_response(
        401, "Missing, unknown, expired or revoked token or session.", **{"WWW-Authenticate": _TEXT}
    ),
    "403": _describe_error_response(403, "The scope or the role is missing, or another user holds the action."),
    "404": _describe_error_response(404, "Does not exist, or is not visible to you."),
    "409": _describe_error_response(409, "Someone else was first: with the claim, or with a change of the text."),
    "413": _describe_error_response(413, "The body is too large."),
    "415": _describe_error_response(415, "The body is not JSON."),
    "422": _describe_error_response(422, "A field or a rule is violated; the message says which and what to do."),
    "429": _describe_error_response(
        429, "Too many requests with this token.", **{"Retry-After": {"schema": {"type": "integer"}}}
    ),
    "500": _describe_error_response(500, "An internal error. Nothing was changed, so it is safe to try again."),
    "503": _describe_error_response(503, "The database is not available."),
}


def describe_responses_by_status(route: RestRoute, operation: AnyOperation) -> dict[str, Schema]:
    fields, _ = schemas.input_properties_and_required(operation)
    statuses = ["401", "403", "422", "429", "500", "503"]
    if any(name.endswith(("_id", "_pid")) for name in fields):
        statuses.append("404")
    if AS_IT_WAS & set(fields) or operation.name in CONFLICTS:
        statuses.append("409")
    if route.method not in ("GET", "DELETE"):
        statuses += ["413", "415"] if route.body == "json" else ["413"]
    described = {
        str(route.status): _describe_success_response(route, operation),
        **{status: RESPONSES[status] for status in sorted(statuses)},
    }
    return {**described, "304": {"description": "Nothing has changed."}} if route.method == "GET" else described


def _describe_success_response(route: RestRoute, operation: AnyOperation) -> Schema:
    if route.status == 204:
        return {"description": "Done."}
    headers = {"Location": _TEXT} if route.location else {}
    if route.method == "GET" or "revision" in operation.output.__struct_fields__:
        headers["ETag"] = _TEXT
    content = {"schema": schemas.schema_reference(schemas.openapi_component_name(operation.output))}
    if operation.name in example_response_by_operation():
        content["example"] = example_response_by_operation()[operation.name]
    success = {"description": "Created." if route.status == 201 else "Done.", "content": {JSON: content}}
    return {**success, "headers": headers} if headers else success
