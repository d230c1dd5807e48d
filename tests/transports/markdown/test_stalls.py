"""Small texts that once stalled the whole server: whoever sends one, others are answered meanwhile."""

import asyncio

import pytest

from pendesk.transports.markdown.job import Job
from pendesk.transports.markdown.process import MarkdownProcess
from tests.sites import SAME
from tests.transports.markdown.test_render import table

TEXTS = {
    "ten tables of 66,000 empty cells": "\n\n".join([table(300, 220)] * 10),
    "blank lines in a language whose lexer takes the square": "```singularity\n" + "\n" * 16_000 + "```",
    "strings that never end": "```java\n" + ("\\'" * 100 + "\n") * 90 + "```",
    "brackets that never end in addresses": "http://a.b/(" * 4_000,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
async def test_others_are_answered_while_a_hostile_text_is_previewed(served, text):
    code = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": code}, headers=SAME)
    preview = asyncio.create_task(served.http.post("/preview", data={"text": text}, headers=SAME))
    beside = 0
    while not preview.done():
        assert (await served.http.get("/api/v1/health")).json() == {"ok": True}
        beside += 1
    assert (await preview).status_code == 200
    assert beside > 1


def test_all_of_them_together_take_bounded_time_and_memory_and_leave_the_process_alive():
    process = MarkdownProcess()
    try:
        shown = process.render([Job("text", text) for text in TEXTS.values()])
        assert len(shown) == len(TEXTS)
        assert process.render([Job("line", "after")])[0].html == "after"
    finally:
        process.stop()
