"""POST /preview and /preview/diff: how a text that is being written will look, and how it differs from another."""

from urllib.parse import parse_qsl

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from pendesk.domain.errors import BadField
from pendesk.domain.limits import DIFF_BRIEF_STEPS, TEXT_CHARS
from pendesk.domain.word_diff import StepBudget, word_diff
from pendesk.transports.markdown.job import RenderJob
from pendesk.transports.markdown.prose import RENDERER
from pendesk.transports.web.parts.hidden_marks import mark_hidden_on_page
from pendesk.transports.web.parts.view import create_view

FIELDS = 10
TAGS = {"same": Markup("{}"), "removed": Markup("<del>{}</del>"), "added": Markup("<ins>{}</ins>")}


async def post_markdown_preview(request: Request) -> Response:
    (text,) = await _read_text_fields(request, "text")
    (html,) = await RENDERER.render([RenderJob("text", text)])
    return HTMLResponse(mark_hidden_on_page(html))


async def post_word_diff(request: Request) -> Response:
    old, new = await _read_text_fields(request, "old", "new")
    parts = word_diff(old, new, StepBudget(DIFF_BRIEF_STEPS))
    html = Markup("").join(TAGS[part.change].format(part.text) for part in parts)
    return HTMLResponse(mark_hidden_on_page(html))


async def _read_text_fields(request: Request, *names: str) -> list[str]:
    await create_view(request)  # only who is signed in, from our own pages
    try:
        sent = dict(parse_qsl((await request.body()).decode(), keep_blank_values=True, max_num_fields=FIELDS))
    except ValueError:
        raise BadField("", "The text cannot be read. Reload the page and submit it again.") from None
    texts = [sent.get(name, "").replace("\r\n", "\n") for name in names]
    for name, text in zip(names, texts, strict=True):
        if len(text) > TEXT_CHARS:
            raise BadField(name, f"has more than {TEXT_CHARS} characters. Split it into two texts.")
    return texts
