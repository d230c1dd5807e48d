"""The frame of every page. Whatever is put into one goes through `escape`, except what a page function built."""

from html import escape
from importlib import resources

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

STYLE = (resources.files("pendesk.transports.web") / "pendesk.css").read_text("utf-8")


def page(title: str, body: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(
        "<!doctype html>"
        '<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)} · Pendesk</title>"
        '<link rel="stylesheet" href="/static/pendesk.css"></head>'
        f"<body><main><h1>{escape(title)}</h1>{body}</main></body></html>",
        status,
    )


async def get_style(_request: Request) -> Response:
    return Response(STYLE, media_type="text/css", headers={"Cache-Control": "public, max-age=300"})
