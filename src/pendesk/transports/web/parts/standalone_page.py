"""A page outside of the app's shell: for people who are not signed in, or who must decide something.

It has no script, and its policy allows none: nothing on it can read a password or press a button.
"""

from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import HTMLResponse

from pendesk.transports.web.parts.templating import render
from pendesk.transports.web.parts.theme import theme_of

Tone = Literal["good", "bad", "calm"]


def render_standalone_page(request: Request, template: str, status: int = 200, **data: Any) -> HTMLResponse:
    """`template` is one of templates/standalone."""
    return HTMLResponse(render(f"standalone/{template}", theme=theme_of(request), **data), status)


def render_message_page(
    request: Request,
    title: str,
    *paragraphs: str,
    status: int = 200,
    tone: Tone = "bad",
    command: str = "",
    link_text_and_path: tuple[str, str] | None = None,
) -> HTMLResponse:
    """A result: done or refused."""
    return render_standalone_page(
        request,
        "message.html",
        status,
        title=title,
        paragraphs=paragraphs,
        tone=tone,
        command=command,
        link=link_text_and_path,
    )
