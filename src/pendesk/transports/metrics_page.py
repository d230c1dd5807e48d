"""GET /metrics, for those whom the setting admits."""

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from pendesk.operations.housekeeping import count_live_claims
from pendesk.transports.host_check import is_loopback, parse_host_header
from pendesk.transports.problems import http_error_response
from pendesk.transports.service import Service

PROXY_HEADERS = ("x-forwarded-for", "forwarded", "via", "x-real-ip")


async def get_metrics(request: Request) -> Response:
    service: Service = request.app.state.service
    if not _may_read_metrics(request, service.settings.metrics):
        return http_error_response(404)
    live_claims = await service.dispatcher.call_as_server(count_live_claims.OPERATION, None)
    gauges = {
        "live_claims": live_claims,
        "open_streams": request.app.state.streams.count_open(),
        **service.dispatcher.store_metric_gauges(),
    }
    # Thousands of lines: the loop's thread has others to answer.
    text = await run_in_threadpool(service.metrics.render_prometheus_text, gauges)
    return Response(text, headers={"content-type": CONTENT_TYPE_PLAIN_0_0_4})


def _may_read_metrics(request: Request, metrics_setting: str) -> bool:
    if metrics_setting != "loopback":
        return metrics_setting == "everyone"
    # Behind a proxy on this machine everyone comes from loopback: a proxied request is never local.
    proxied = any(name in request.headers for name in PROXY_HEADERS)
    local = request.client is not None and is_loopback(request.client.host)
    return (
        local
        and not proxied
        and is_loopback(parse_host_header(request.headers.get("host", "").encode("latin-1")) or "")
    )
