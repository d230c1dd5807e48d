"""GET /views/{view}: the board or the list as somebody saved it."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pendesk.domain.errors import Refusal, Unauthenticated
from pendesk.transports.web.parts.view import create_view, load_app_shell, redirect_to_sign_in, render_refusal

_PATHS = {"board": "/p/{key}", "list": "/p/{key}/list"}


async def redirect_to_saved_view(request: Request) -> Response:
    """The filters are in the address that it leads to: they can be changed there, and the page says of which view."""
    try:
        view = await create_view(request)
    except Unauthenticated as refusal:
        return redirect_to_sign_in(request, refusal)
    try:
        saved = await view.call("get_saved_view", view_id=view.path_param("view"))
    except Refusal as refusal:
        await load_app_shell(view)
        return await render_refusal(view, refusal)
    path = _PATHS[saved.page].format(key=saved.project_key)
    query = f"{saved.query}&view={saved.pid}" if saved.query else f"view={saved.pid}"
    return RedirectResponse(f"{path}?{query}", 303)
