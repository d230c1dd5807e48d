"""The frame of every page. Whatever is put into one goes through `escape`, except what a page function built."""

from html import escape
from importlib import resources

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

FILES = {"pendesk.css": "text/css", "pendesk.svg": "image/svg+xml"}
_FOLDER = resources.files("pendesk.transports.web") / "static"
_CONTENT = {name: (_FOLDER / name).read_bytes() for name in FILES}


def page(title: str, body: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(
        "<!doctype html>"
        '<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)} · Pendesk</title>"
        '<link rel="icon" href="/static/pendesk.svg"><link rel="stylesheet" href="/static/pendesk.css"></head>'
        f"<body><main><h1>{escape(title)}</h1>{body}</main></body></html>",
        status,
    )


async def get_static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FILES:
        raise HTTPException(404)
    return Response(_CONTENT[name], media_type=FILES[name], headers={"Cache-Control": "public, max-age=300"})
