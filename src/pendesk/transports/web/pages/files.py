"""GET /files/{attachment}: an attachment under an address that does not change, for pages and texts to show."""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.transports.web.parts.view import create_view


async def redirect_to_attachment(request: Request) -> Response:
    """The link it leads to is good for half an hour, so the way there is not kept."""
    view = await create_view(request)
    link = urlsplit((await view.call("get_attachment_url", attachment_pid=request.path_params["attachment"])).url)
    return RedirectResponse(f"{link.path}?{link.query}", 302, {"Cache-Control": "private, max-age=60"})
