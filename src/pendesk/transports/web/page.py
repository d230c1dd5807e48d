"""A page that stands alone, for those who are not signed in yet. What is put into one goes through `escape`."""

from markupsafe import Markup
from starlette.responses import HTMLResponse

from pendesk.transports.web.templating import render


def page(title: str, body: str, status: int = 200, theme: str = "system") -> HTMLResponse:
    """`body` is HTML that a page function built."""
    return HTMLResponse(render("said.html", title=title, body=Markup(body), theme=theme), status)  # noqa: S704
