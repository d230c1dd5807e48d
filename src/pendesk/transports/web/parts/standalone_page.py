"""A page that stands alone, outside of the app's shell: for those who are not signed in, or are asked something.

It has no script, and its policy allows none: nothing on it can read a password or press a button.
"""

from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import HTMLResponse

from pendesk.transports.web.parts.templating import render
from pendesk.transports.web.parts.theme import theme_of

Tone = Literal["good", "bad", "calm"]


def show_alone(request: Request, template: str, status: int = 200, **data: Any) -> HTMLResponse:
    """`template` is one of templates/alone."""
    return HTMLResponse(render(f"alone/{template}", theme=theme_of(request), **data), status)


def tell(
    request: Request,
    title: str,
    *told: str,
    status: int = 200,
    tone: Tone = "bad",
    command: str = "",
    link: tuple[str, str] | None = None,
) -> HTMLResponse:
    """Something is over: done or refused. `link` is a text and an address of ours."""
    return show_alone(request, "told.html", status, title=title, told=told, tone=tone, command=command, link=link)
