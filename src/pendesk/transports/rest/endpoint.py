"""The routes of the table, one per path, and their answers: who calls, what they ask, the dispatcher, the answer."""

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
    """One route per path, so that a method which is not there is told all that are."""
    paths: dict[str, dict[str, RestRoute]] = {}
    for row in TABLE:
        paths.setdefault(row.path, {})[row.method] = row
    return [
        Route(BASE + path, _endpoint(methods), methods=[*methods, "OPTIONS"], name=f"rest:{path}")
        for path, methods in paths.items()
    ]


def _endpoint(methods: dict[str, RestRoute]) -> Endpoint:
    heads = {"HEAD": methods["GET"]} if "GET" in methods else {}
    allow = ", ".join([*methods, *heads, "OPTIONS"])

    async def endpoint(request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": allow})
        return await respond(request, {**methods, **heads}[request.method])

    return endpoint


async def respond(request: Request, row: RestRoute) -> Response:
    service: Service = request.app.state.service
    operation = service.dispatcher.operations[row.operation]
    actor = await caller_of(request, operation)
    reads = from_query if row.method in ("GET", "DELETE") else READERS[row.body]
    answer = await service.dispatcher.call(actor, row.operation, await reads(request, operation, actor))
    return _response(request, row, answer)


def _response(request: Request, row: RestRoute, answer: Output) -> Response:
    if row.status == 204:
        return Response(status_code=204)
    body = encode_json(answer)
    headers = {"Location": BASE + row.location.format(**msgspec.to_builtins(answer))} if row.location else {}
    if row.method == "GET" or hasattr(answer, "revision"):
        headers["ETag"] = etags.tag(answer, body)
    if row.method == "GET" and etags.is_known(request.headers.get("if-none-match"), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, row.status, headers, JSON)
