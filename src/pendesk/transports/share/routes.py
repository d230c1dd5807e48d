"""GET /share/{secret}: a read-only page for whoever has the link, also as `.md` and `.json`. POST leaves a message.

The link is the guest's only credential: it is in no log, no referrer and no search engine.
"""

from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from pendesk.domain.errors import LinkLeadsNowhere, Refusal
from pendesk.operations.sharing import admit_guest
from pendesk.operations.sharing.get_share import Shared
from pendesk.transports.anonymous_limits import admit_from, throttles_of
from pendesk.transports.problems import json_response, problem, status_of
from pendesk.transports.service import Service
from pendesk.transports.share.as_html import html_of, html_of_no_share
from pendesk.transports.share.as_markdown import markdown_of
from pendesk.transports.share.drafts import Draft

HEADERS = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow, noarchive"}
FORM_BYTES = 64_000  # a title, a name and a message in any script, each byte written as %xx


async def share_page(request: Request) -> Response:
    try:
        response = await (_post if request.method == "POST" else _get)(request)
    except LinkLeadsNowhere as refusal:
        response = html_of_no_share(request, refusal.message)
    return _guarded(response)


async def get_share_markdown(request: Request) -> Response:
    try:
        response: Response = PlainTextResponse(markdown_of(await _shared(request)), media_type="text/markdown")
    except Refusal as refusal:
        response = PlainTextResponse(f"{refusal.message}\n", status_of(refusal), media_type="text/markdown")
    return _guarded(response)


async def get_share_json(request: Request) -> Response:
    try:
        response = json_response(await _shared(request))
    except Refusal as refusal:
        response = json_response(problem(refusal), status_of(refusal))
    return _guarded(response)


async def _get(request: Request) -> Response:
    shared = await _shared(request)
    left = request.query_params.get("left") == "1"
    draft = Draft(notice="Thank you. Your message was received.") if left else Draft()
    return await html_of(request, shared, draft)


async def _post(request: Request) -> Response:
    """Nothing here depends on a cookie, so there is nothing that another site's page could borrow."""
    service: Service = request.app.state.service
    secret = request.path_params["secret"]
    guest = await service.dispatcher.call_by_secret(admit_guest.OPERATION, secret)
    draft = _draft(await request.body())
    try:
        await admit_from(request, throttles_of(request).guest_items, "guest item")
        await service.dispatcher.call(guest, "leave_item", {"secret": secret, **draft.arguments()})
    except LinkLeadsNowhere:
        raise
    except Refusal as refusal:
        shared = await _shared(request)
        return await html_of(request, shared, draft._replace(problem=refusal.message), status_of(refusal))
    return RedirectResponse(f"{request.url.path}?left=1", 303)


async def _shared(request: Request) -> Shared:
    service: Service = request.app.state.service
    secret = request.path_params["secret"]
    guest = await service.dispatcher.call_by_secret(admit_guest.OPERATION, secret)
    await admit_from(request, throttles_of(request).guest_reads, "guest")
    shared = await service.dispatcher.call(guest, "get_share", {"secret": secret})
    assert isinstance(shared, Shared)
    return shared


def _draft(body: bytes) -> Draft:
    sent = parse_qs(body[:FORM_BYTES].decode("ascii", "replace"), keep_blank_values=True)
    fields = {name: sent.get(name, [""])[0].replace("\r\n", "\n") for name in ("title", "body", "name")}
    return Draft(title=fields["title"].strip(), body=fields["body"].strip(), name=fields["name"].strip())


def _guarded(response: Response) -> Response:
    response.headers.update(HEADERS)
    return response
