"""Small texts that once stalled the whole server: whoever sends one, others are answered meanwhile."""

import asyncio
import threading

import pytest

from pendesk.transports.markdown.job import RenderJob, RenderResult
from pendesk.transports.markdown.process import MarkdownProcess
from pendesk.transports.markdown.prose import RENDERER
from tests.sites import SAME
from tests.transports.markdown.test_render import table

TEXTS = {
    "ten tables of 66,000 empty cells": "\n\n".join([table(300, 220)] * 10),
    "blank lines in a language whose lexer takes the square": "```singularity\n" + "\n" * 16_000 + "```",
    "strings that never end": "```java\n" + ("\\'" * 100 + "\n") * 19 + "```",
    "brackets that never end in addresses": "http://a.b/(" * 4_000,
    "a long address named many times": "[a]: https://a.test/" + "x" * 2_000 + "\n\n" + "[a] " * 24_000,
}


async def test_others_are_answered_while_a_text_is_rendered(served, monkeypatch):
    begun, answered = threading.Event(), threading.Event()

    def wait(jobs):
        begun.set()
        answered.wait(60)
        return [RenderResult("<p>rendered</p>") for _ in jobs]

    monkeypatch.setattr(RENDERER._process, "render", wait)
    code = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": code}, headers=SAME)
    preview = asyncio.create_task(served.http.post("/preview", data={"text": "slow"}, headers=SAME))
    while not begun.is_set():
        await asyncio.sleep(0)
    assert (await served.http.get("/api/v1/health")).json() == {"ok": True}
    answered.set()
    assert (await preview).text == "<p>rendered</p>"


def test_each_of_them_gets_an_answer_and_leaves_the_process_alive():
    process = MarkdownProcess()
    try:
        for text in TEXTS.values():
            assert len(process.render([RenderJob("text", text)])) == 1
        pid = process._running and process._running.pid
        assert process.render([RenderJob("line", "after")])[0].html == "after"
        assert process._running is not None
        assert process._running.pid == pid
    finally:
        process.kill_and_wait()


@pytest.mark.parametrize("text", [*TEXTS.values(), "| a\n" * 20_000, "> " * 50_000, "[" * 100_000])
async def test_a_hostile_preview_is_shown(served, text):
    code = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": code}, headers=SAME)
    preview = await served.http.post("/preview", data={"text": text[:100_000]}, headers=SAME)
    assert preview.status_code == 200
    assert len(preview.content) < 1_000_000
