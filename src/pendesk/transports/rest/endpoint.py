"""The routes of the table, one per path, and their responses: caller, arguments, dispatcher, response."""

from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pendesk.operations.operation import Output, encode_json
from pendesk.transports.rest import etags
from pendesk.transports.rest.caller import caller_of
from pendesk.transports.rest.reading import JSON, READERS, from_query
from pendesk.transports.rest.routes import BASE, TABLE, RestRoute
from pendesk.transports.service import Service

Endpoint = Callable[[Request], Awaitable[Response]]


def rest_routes() -> list[Route]:
    """One route per path, so that a wrong method gets the list of the right ones."""
    paths: dict[str, dict[str, RestRoute]] = {}
    for row in TABLE:
        paths.setdefault(row.path, {})[row.method] = row
    return [
        Route(BASE + path, _endpoint(methods), methods=[*methods, "OPTIONS"], name=f"rest:{path}")
        for path, methods in paths.items()
    ]


def _endpoint(methods: dict[str, RestRoute]) -> Endpoint:
    head = {"HEAD": methods["GET"]} if "GET" in methods else {}
    allow = ", ".join([*methods, *head, "OPTIONS"])

    async def endpoint(request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": allow})
        return await respond(request, {**methods, **head}[request.method])

    return endpoint


async def respond(request: Request, row: RestRoute) -> Response:
    service: Service = request.app.state.service
    operation = service.dispatcher.operations[row.operation]
    actor = await caller_of(request, operation)
    read_arguments = from_query if row.method in ("GET", "DELETE") else READERS[row.body]
    output = await service.dispatcher.call(actor, row.operation, await read_arguments(request, operation, actor))
    return _response(request, row, output)


def _response(request: Request, row: RestRoute, output: Output) -> Response:
    if row.status == 204:
        return Response(status_code=204)
    body = encode_json(output)
    headers = {"Location": BASE + row.location.format(**msgspec.to_builtins(output))} if row.location else {}
    if row.method == "GET" or hasattr(output, "revision"):
        headers["ETag"] = etags.entity_tag(output, body)
    if row.method == "GET" and etags.matches_any(request.headers.get("if-none-match"), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, row.status, headers, JSON)
