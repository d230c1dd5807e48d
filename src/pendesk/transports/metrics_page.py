"""GET /metrics, for those whom the setting admits."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from pendesk.operations.housekeeping import count_live_claims
from pendesk.transports.host_check import host_name, is_loopback
from pendesk.transports.problems import plain_response
from pendesk.transports.service import Service

PROXY_HEADERS = ("x-forwarded-for", "forwarded", "via", "x-real-ip")


async def get_metrics(request: Request) -> Response:
    service: Service = request.app.state.service
    if not _admitted(request, service.settings.metrics):
        return plain_response(404)
    live = await service.dispatcher.call_as_server(count_live_claims.OPERATION, None)
    streams = request.app.state.streams.count()
    gauges = {"live_claims": float(live), "open_streams": float(streams), **service.dispatcher.gauges()}
    return PlainTextResponse(service.metrics.text(gauges), media_type="text/plain; version=0.0.4")


def _admitted(request: Request, setting: str) -> bool:
    if setting != "loopback":
        return setting == "everyone"
    # Behind a proxy on this machine everyone comes from loopback: a proxied request is never local.
    proxied = any(name in request.headers for name in PROXY_HEADERS)
    local = request.client is not None and is_loopback(request.client.host)
    return local and not proxied and is_loopback(host_name(request.headers.get("host", "").encode("latin-1")) or "")
