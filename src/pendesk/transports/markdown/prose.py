"""The Markdown of a page. While the template runs, a placeholder stands for each text; then all are rendered together.

What was rendered before is remembered by its content. The rest is done by a process of its own, which takes no time
from the event loop, and a page does not wait for it for ever: what is not there in time is shown as it was written.
"""

import asyncio
import hashlib
import logging
import re
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar

import msgspec
from markupsafe import Markup, escape

from pendesk.domain.limits import (
    CODE_WAIT_S,
    MARKDOWN_CUT_CHARS,
    MARKDOWN_PAGE_CHARS,
    MARKDOWN_REMEMBERED_CHARS,
    MARKDOWN_WAIT_S,
)
from pendesk.transports.markdown.job import SECTION, RenderJob, RenderResult
from pendesk.transports.markdown.process import CannotStart, MarkdownProcess, NoAnswer
from pendesk.transports.markdown.render_cache import RenderCache

log = logging.getLogger("pendesk.markdown")

AS_WRITTEN = Markup(
    '<p class="quiet small">Shown as written: it would take too long to format.</p><p class="as-written">{}</p>'
)
CUT = Markup(
    '<p class="quiet small">Only its beginning: the texts of this page are too long to show together.</p>'
    '<p class="as-written">{} …</p>'
)
_PAGE: ContextVar["PageMarkdown"] = ContextVar("the Markdown of the page that is being rendered")


class PageMarkdown:
    """The texts of one page."""

    def __init__(self) -> None:
        self._secret = secrets.token_hex(8)  # no text can contain a placeholder: it is random
        self._jobs: list[RenderJob] = []

    def add_placeholder(self, job: RenderJob) -> Markup:
        self._jobs.append(job)
        return Markup(f"{self._secret}:{len(self._jobs) - 1};")  # noqa: S704 - hexadecimal digits

    @contextmanager
    def collect_render_jobs(self) -> Iterator[None]:
        """Within it, the template's filters add their texts."""
        token = _PAGE.set(self)
        try:
            yield
        finally:
            _PAGE.reset(token)

    async def fill_placeholders(self, page: str) -> str:
        if not self._jobs:
            return page
        texts = await RENDERER.render(self._jobs)
        return re.sub(f"{self._secret}:([0-9]+);", lambda match: texts[int(match[1])], page)


def render_markdown(text: str, repository_url: str | None = None, top_heading_level: int = SECTION) -> Markup:
    return _PAGE.get().add_placeholder(RenderJob("text", text, repository_url, top_heading_level))


def render_markdown_line(text: str, repository_url: str | None = None) -> Markup:
    """Without paragraphs: for one-line texts such as criteria."""
    return _PAGE.get().add_placeholder(RenderJob("line", text, repository_url))


def render_guest_markdown(text: str) -> Markup:
    """For guests."""
    return _PAGE.get().add_placeholder(RenderJob("guest", text))


class Renderer:
    """One for the whole server: a process, the thread that waits for it, and what was rendered before."""

    def __init__(self, process: MarkdownProcess) -> None:
        self._process = process
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pendesk-markdown")
        self._cache = RenderCache(MARKDOWN_REMEMBERED_CHARS)

    async def render(self, jobs: list[RenderJob]) -> list[Markup]:
        """In the order of the jobs, and together not longer than a page may be."""
        return _fit_texts_into_page_limit(jobs, await self._render_or_recall(jobs, MARKDOWN_WAIT_S))

    async def colour(self, jobs: list[RenderJob]) -> list[str]:
        """Where the colours of code are, as colour_spans says it. Blank where they cost too much, or are not there in
        time: a page waits for them less long than for its texts.
        """
        return [spans or "" for spans in await self._render_or_recall(jobs, CODE_WAIT_S)]

    async def _render_or_recall(self, jobs: list[RenderJob], wait_s: float) -> list[str | None]:
        keys = [_cache_key(job) for job in jobs]
        rendered = self._cache.get_many(keys)
        missing = {key: job for key, job in zip(keys, jobs, strict=True) if key not in rendered}
        if missing:
            rendered |= await self._render_with_timeout(missing, wait_s)
        return [rendered.get(key) for key in keys]

    def stop(self) -> None:
        """A server that ends does not wait for it; the next text would start it again."""
        self._process.kill()

    async def _render_with_timeout(self, jobs_by_key: dict[bytes, RenderJob], wait_s: float) -> dict[bytes, str | None]:
        work = self._thread.submit(self._render_and_cache, jobs_by_key)
        try:
            async with asyncio.timeout(wait_s):
                return await asyncio.shield(asyncio.wrap_future(work))
        except TimeoutError:
            work.cancel()  # if its turn has not come; else it is remembered once it is done
            return {}

    def _render_and_cache(self, jobs_by_key: dict[bytes, RenderJob]) -> dict[bytes, str | None]:
        """Runs in the thread."""
        try:
            answers = self._process.render(list(jobs_by_key.values()))
        except CannotStart as error:
            log.warning("Markdown cannot be rendered now, and is shown as written: %s", error)
            return {}
        except NoAnswer:
            # Which of them it was is not known, and whoever looks next must not wait as long again.
            log.warning("rendering Markdown took too long or ended; %d texts are shown as written", len(jobs_by_key))
            answers = [RenderResult(None)] * len(jobs_by_key)
        for fault in {answer.fault for answer in answers if answer.fault}:
            log.error("a text could not be rendered and is shown as written\n%s", fault)
        rendered = {key: answer.html for key, answer in zip(jobs_by_key, answers, strict=True) if answer.final}
        self._cache.put_all(rendered)
        return rendered


RENDERER = Renderer(MarkdownProcess())


def _cache_key(job: RenderJob) -> bytes:
    return hashlib.blake2b(msgspec.msgpack.encode(job), digest_size=16).digest()


def _fit_texts_into_page_limit(jobs: list[RenderJob], rendered: list[str | None]) -> list[Markup]:
    left, texts = MARKDOWN_PAGE_CHARS, []
    for job, html in zip(jobs, rendered, strict=True):
        text = _escaped_source_markup(job) if html is None else Markup(html)  # noqa: S704 - the allow list has been applied
        if len(text) > left:
            text = CUT.format(job.text[:MARKDOWN_CUT_CHARS])
        left -= len(text)
        texts.append(text)
    return texts


def _escaped_source_markup(job: RenderJob) -> Markup:
    return escape(job.text) if job.kind == "line" else AS_WRITTEN.format(job.text)
