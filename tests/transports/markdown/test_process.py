import signal
import sys
from pathlib import Path

import pytest

from pendesk.transports.markdown.job import RenderJob
from pendesk.transports.markdown.process import COMMAND, MarkdownProcess, NoAnswer


@pytest.fixture
def process():
    started = MarkdownProcess()
    yield started
    started.kill_and_wait()


def running(process):
    assert process._running is not None
    return process._running


def test_texts_are_rendered_in_their_order(process):
    rendered = process.render([RenderJob("text", "*a*"), RenderJob("line", "`b`"), RenderJob("guest", "HRB-1")])
    assert [text.html for text in rendered] == ["<p><em>a</em></p>\n", "<code>b</code>", "<p>HRB-1</p>\n"]


def test_a_process_that_died_while_it_had_nothing_to_do_is_replaced(process):
    process.render([RenderJob("line", "a")])
    running(process).kill()
    running(process).wait()
    assert process.render([RenderJob("line", "a")])[0].html == "a"


def test_a_process_that_dies_over_its_work_is_replaced_by_the_next_call():
    process = MarkdownProcess([sys.executable, "-c", "import sys; sys.stdin.buffer.read(4)"])
    with pytest.raises(NoAnswer):
        process.render([RenderJob("line", "a")])
    process._command = COMMAND
    assert process.render([RenderJob("line", "a")])[0].html == "a"
    process.kill_and_wait()


def test_a_process_that_is_silent_is_ended(monkeypatch):
    monkeypatch.setattr("pendesk.transports.markdown.process.MARKDOWN_ANSWER_S", 0.2)
    silent = MarkdownProcess([sys.executable, "-c", "import time; time.sleep(600)"])
    with pytest.raises(NoAnswer):
        silent.render([RenderJob("line", "a")])


def test_the_process_has_none_of_the_servers_secrets(monkeypatch):
    monkeypatch.setenv("PENDESK_SECRET_KEY", "x" * 40)
    process = MarkdownProcess()
    process.render([RenderJob("line", "a")])
    try:
        assert "PENDESK" not in Path(f"/proc/{running(process).pid}/environ").read_text()
    finally:
        process.kill_and_wait()


def test_the_process_ends_with_its_input(process):
    process.render([RenderJob("line", "a")])
    child = running(process)
    child.stdin.close()
    assert child.wait(60) == 0


def test_ctrl_c_is_for_the_server_alone(process):
    process.render([RenderJob("line", "a")])
    running(process).send_signal(signal.SIGINT)
    assert process.render([RenderJob("line", "a")])[0].html == "a"
