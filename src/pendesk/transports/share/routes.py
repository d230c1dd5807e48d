"""GET /share/{secret}: a read-only page for whoever has the link, also as `.md` and `.json`. POST leaves a message.

The link is the guest's only credential: it is in no log, no referrer and no search engine.
"""

from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pendesk.domain.errors import LinkLeadsNowhere, Refusal
from pendesk.operations.sharing import admit_guest
from pendesk.operations.sharing.get_share import Shared
from pendesk.transports.anonymous_limits import throttle_by_address, throttles_of
from pendesk.transports.problems import http_status_of, json_response, refusal_or_internal_error_body
from pendesk.transports.service import Service
from pendesk.transports.share.as_html import render_share_not_found_page, render_share_page
from pendesk.transports.share.as_markdown import render_share_markdown
from pendesk.transports.share.drafts import GuestRequestDraft

HEADERS = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow, noarchive"}
FORM_BYTES = 64_000  # a title, a name and a message in any script, each byte written as %xx


async def share_page(request: Request) -> Response:
    try:
        response = await (_post_guest_request if request.method == "POST" else _get_share_page)(request)
    except LinkLeadsNowhere as refusal:
        response = render_share_not_found_page(request, refusal.message)
    return _add_privacy_headers(response)


async def get_share_markdown(request: Request) -> Response:
    try:
        response: Response = PlainTextResponse(
            render_share_markdown(await _load_share(request)), media_type="text/markdown"
        )
    except Refusal as refusal:
        response = PlainTextResponse(f"{refusal.message}\n", http_status_of(refusal), media_type="text/markdown")
    return _add_privacy_headers(response)


async def get_share_json(request: Request) -> Response:
    try:
        response = json_response(await _load_share(request))
    except Refusal as refusal:
        response = json_response(refusal_or_internal_error_body(refusal), http_status_of(refusal))
    return _add_privacy_headers(response)


async def _get_share_page(request: Request) -> Response:
    shared = await _load_share(request)
    left = request.query_params.get("left") == "1"
    draft = GuestRequestDraft(notice="Thank you. Your message was received.") if left else GuestRequestDraft()
    return await render_share_page(request, shared, draft)


async def _post_guest_request(request: Request) -> Response:
    """Nothing here depends on a cookie, so there is nothing that another site's page could borrow."""
    service: Service = request.app.state.service
    secret = request.path_params["secret"]
    guest = await service.dispatcher.call_by_secret(admit_guest.OPERATION, secret)
    draft = _parse_guest_request(await request.body())
    try:
        await throttle_by_address(request, throttles_of(request).guest_items, "guest item")
        await service.dispatcher.call(guest, "leave_item", {"secret": secret, **draft.operation_arguments()})
    except LinkLeadsNowhere:
        raise
    except Refusal as refusal:
        shared = await _load_share(request)
        return await render_share_page(
            request, shared, draft._replace(problem=refusal.message), http_status_of(refusal)
        )
    return RedirectResponse(f"{request.url.path}?left=1", 303)


async def _load_share(request: Request) -> Shared:
    service: Service = request.app.state.service
    secret = request.path_params["secret"]
    guest = await service.dispatcher.call_by_secret(admit_guest.OPERATION, secret)
    await throttle_by_address(request, throttles_of(request).guest_reads, "guest")
    shared = await service.dispatcher.call(guest, "get_share", {"secret": secret})
    assert isinstance(shared, Shared)
    return shared


def _parse_guest_request(body: bytes) -> GuestRequestDraft:
    sent = parse_qs(body[:FORM_BYTES].decode("ascii", "replace"), keep_blank_values=True)
    fields = {name: sent.get(name, [""])[0].replace("\r\n", "\n") for name in ("title", "body", "name")}
    return GuestRequestDraft(title=fields["title"].strip(), body=fields["body"].strip(), name=fields["name"].strip())


def _add_privacy_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    return response


SHARE_ROUTES = [
    Route("/share/{secret}.md", get_share_markdown, methods=["GET"]),
    Route("/share/{secret}.json", get_share_json, methods=["GET"]),
    Route("/share/{secret}", share_page, methods=["GET", "POST"]),
]
