"""The routes of the table, one per path, and their responses: caller, arguments, dispatcher, response."""

from collections.abc import Awaitable, Callable, Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pendesk.domain.errors import Refusal, Unavailable
from pendesk.operations.operation import Output, encode_json
from pendesk.transports.rest import etags
from pendesk.transports.rest.caller import authenticate_caller
from pendesk.transports.rest.reading import JSON, READERS, read_url_arguments
from pendesk.transports.rest.routes import BASE, TABLE, RestRoute
from pendesk.transports.service import Service

Endpoint = Callable[[Request], Awaitable[Response]]


def rest_routes() -> list[Route]:
    """One route per path, so that a wrong method gets the list of the right ones."""
    paths: dict[str, dict[str, RestRoute]] = {}
    for row in TABLE:
        paths.setdefault(row.path, {})[row.method] = row
    return [
        Route(BASE + path, _build_endpoint(methods), methods=[*methods, "OPTIONS"], name=f"rest:{path}")
        for path, methods in paths.items()
    ]


def _build_endpoint(routes_by_method: dict[str, RestRoute]) -> Endpoint:
    head = {"HEAD": routes_by_method["GET"]} if "GET" in routes_by_method else {}
    allow = ", ".join([*routes_by_method, *head, "OPTIONS"])

    async def endpoint(request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": allow})
        return await run_route_operation(request, {**routes_by_method, **head}[request.method])

    return endpoint


async def run_route_operation(request: Request, route: RestRoute) -> Response:
    service: Service = request.app.state.service
    operation = service.dispatcher.operations[route.operation]
    actor = await authenticate_caller(request, operation)
    read_arguments = read_url_arguments if route.method in ("GET", "DELETE") else READERS[route.body]
    arguments = await read_arguments(request, operation, actor)
    try:
        output = await service.dispatcher.call(actor, route.operation, arguments)
    except Refusal as refusal:
        # Nobody else has the receipt. Where the outcome is not known the file may be in use; the sweeper sees.
        if route.body == "file" and isinstance(arguments, Mapping) and not isinstance(refusal, Unavailable):
            service.files.remove(arguments["receipt"].partition(".")[0])
        raise
    return _build_response(request, route, output)


def _build_response(request: Request, route: RestRoute, output: Output) -> Response:
    if route.status == 204:
        return Response(status_code=204)
    body = encode_json(output)
    headers = {"Location": BASE + route.location.format(**msgspec.to_builtins(output))} if route.location else {}
    if route.method == "GET" or hasattr(output, "revision"):
        headers["ETag"] = etags.entity_tag(output, body)
    if route.method == "GET" and etags.etag_matches_any(request.headers.get("if-none-match"), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, route.status, headers, JSON)
