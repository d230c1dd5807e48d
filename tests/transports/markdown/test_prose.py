import asyncio
import logging
import sys
import threading

import pytest

from pendesk.domain.limits import MARKDOWN_PAGE_CHARS
from pendesk.transports.markdown import prose
from pendesk.transports.markdown.job import RenderJob, RenderResult
from pendesk.transports.markdown.process import COMMAND, MarkdownProcess, NoAnswer
from pendesk.transports.markdown.prose import PageMarkdown, Renderer, render_markdown, render_markdown_line


class FakeProcess(MarkdownProcess):
    """Stands for the process where a test decides what it answers."""

    def __init__(self, answer=lambda job: RenderResult(f"<p>{len(job.text)}</p>")):
        super().__init__()
        self.calls = []
        self.answer = answer

    def render(self, jobs):
        self.calls.append(len(jobs))
        return [self.answer(job) for job in jobs]


async def test_a_text_is_rendered_once_and_then_remembered():
    process = FakeProcess()
    renderer = Renderer(process)
    await renderer.render([RenderJob("text", "a"), RenderJob("text", "bb")])
    texts = await renderer.render([RenderJob("text", "bb"), RenderJob("text", "ccc"), RenderJob("text", "bb")])
    assert texts == ["<p>2</p>", "<p>3</p>", "<p>2</p>"]
    assert process.calls == [2, 1]


async def test_the_same_text_of_another_kind_or_repository_is_another():
    process = FakeProcess()
    renderer = Renderer(process)
    await renderer.render(
        [
            RenderJob("text", "a"),
            RenderJob("guest", "a"),
            RenderJob("text", "a", "https://r.test"),
            RenderJob("text", "a"),
        ]
    )
    assert process.calls == [3]


async def test_a_text_that_costs_too_much_is_shown_as_written_and_not_tried_again():
    process = FakeProcess(lambda _job: RenderResult(None))
    renderer = Renderer(process)
    for _ in range(2):
        (text,) = await renderer.render([RenderJob("text", "<b>\n&")])
        assert '<p class="as-written">&lt;b&gt;\n&amp;</p>' in text
    assert process.calls == [1]
    assert await renderer.render([RenderJob("line", "<b>")]) == ["&lt;b&gt;"]


async def test_what_was_not_reached_is_tried_again():
    process = FakeProcess(lambda _job: RenderResult(None, final=False))
    renderer = Renderer(process)
    await renderer.render([RenderJob("text", "a")])
    await renderer.render([RenderJob("text", "a")])
    assert process.calls == [1, 1]


async def test_a_process_that_dies_costs_the_page_only_its_formatting(caplog):
    def dies(_job):
        raise NoAnswer

    with caplog.at_level(logging.WARNING):
        (text,) = await Renderer(FakeProcess(dies)).render([RenderJob("text", "*a*")])
    assert "*a*</p>" in text
    assert "shown as written" in caplog.text


async def test_a_process_that_cannot_be_started_costs_the_page_its_formatting_until_it_can(caplog, tmp_path):
    process = MarkdownProcess([str(tmp_path / "absent")])
    renderer = Renderer(process)
    (text,) = await renderer.render([RenderJob("text", "*a*")])
    assert "*a*</p>" in text
    assert "cannot be rendered now" in caplog.text
    process._command = COMMAND
    assert await renderer.render([RenderJob("text", "*a*")]) == ["<p><em>a</em></p>\n"]
    process.kill_and_wait()


async def test_a_page_does_not_wait_for_ever_and_what_comes_late_is_remembered(monkeypatch):
    monkeypatch.setattr(prose, "MARKDOWN_WAIT_S", 0.05)
    ready = threading.Event()

    def slow(_job):
        ready.wait(60)
        return RenderResult("<p>late</p>")

    process = FakeProcess(slow)
    renderer = Renderer(process)
    (first,) = await renderer.render([RenderJob("text", "a")])
    (queued,) = await renderer.render([RenderJob("text", "b")])
    assert "as-written" in first
    assert "as-written" in queued
    ready.set()
    renderer._thread.submit(lambda: None).result(60)  # its turn comes when the first is done and remembered
    monkeypatch.setattr(prose, "MARKDOWN_WAIT_S", 60)
    assert await renderer.render([RenderJob("text", "c"), RenderJob("text", "a")]) == ["<p>late</p>"] * 2
    assert process.calls == [1, 1]  # b was taken out of the queue, a was remembered


async def test_a_server_that_stops_does_not_wait_for_a_text():
    renderer = Renderer(MarkdownProcess([sys.executable, "-c", "import time; time.sleep(600)"]))
    rendering = asyncio.create_task(renderer.render([RenderJob("text", "*a*")]))
    while renderer._process._running is None:
        await asyncio.sleep(0)
    renderer.stop()
    assert "*a*" in (await rendering)[0]


async def test_a_fault_of_rendering_is_in_the_log(caplog):
    await Renderer(FakeProcess(lambda _job: RenderResult(None, fault="Traceback: x"))).render([RenderJob("text", "a")])
    assert "Traceback: x" in caplog.text


async def test_the_texts_of_a_page_are_not_longer_than_a_page_may_be():
    html = "x" * (MARKDOWN_PAGE_CHARS // 2 - 10)
    renderer = Renderer(FakeProcess(lambda _job: RenderResult(html)))
    texts = await renderer.render([RenderJob("text", f"{number}" + "y" * 5_000) for number in range(4)])
    assert [text == html for text in texts] == [True, True, False, False]
    assert "Only its beginning" in texts[2]
    assert sum(map(len, texts)) < MARKDOWN_PAGE_CHARS + 10_000


async def test_texts_stand_in_the_page_where_the_template_put_them():
    page = PageMarkdown()
    with page.collect_render_jobs():
        text = f"<a>{render_markdown('*a*')}</a><b>{render_markdown_line('*b*')}</b><c>{render_markdown('*a*')}</c>"
    assert await page.fill_placeholders(text) == "<a><p><em>a</em></p>\n</a><b><em>b</em></b><c><p><em>a</em></p>\n</c>"


async def test_a_page_without_texts_is_as_it_was():
    assert await PageMarkdown().fill_placeholders("a:0;") == "a:0;"


def test_markdown_outside_of_a_page_is_an_error():
    with pytest.raises(LookupError):
        render_markdown("a")
