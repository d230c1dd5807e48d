import re
import time

import pytest

from pendesk.domain import limits
from pendesk.transports.markdown import worker
from pendesk.transports.markdown.cpu_limit import TooCostly, cpu_limit
from pendesk.transports.markdown.job import RenderJob, RenderResult
from pendesk.transports.markdown.worker import render_text, render_texts


def never_ends(*_):
    while True:
        pass


def swallows_the_first_end():
    try:
        never_ends()
    except TooCostly:
        never_ends()


def test_work_in_python_ends_with_its_time():
    with pytest.raises(TooCostly), cpu_limit(0.02):
        never_ends()


def test_a_regular_expression_ends_with_its_time():
    with pytest.raises(TooCostly), cpu_limit(0.02):
        re.match("(a*)*b", "a" * 60)


def test_what_swallows_the_first_end_meets_another():
    with pytest.raises(TooCostly), cpu_limit(0.02):
        swallows_the_first_end()


def test_what_ended_in_time_is_not_stopped_later():
    with cpu_limit(0.02):
        pass
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass


def test_a_text_whose_colours_cost_too_much_is_shown_without_them(monkeypatch):
    monkeypatch.setattr(limits, "MARKDOWN_TEXT_CPU_S", 0.05)
    monkeypatch.setattr("pendesk.transports.markdown.colours.highlight", never_ends)
    rendered = render_text(RenderJob("text", "**a**\n\n```python\nx = 1\n```"))
    assert (
        rendered.html
        == '<p><strong>a</strong></p>\n<pre tabindex="0"><code class="language-python">x = 1\n</code></pre>\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        "```javascript\n" + ("\\'" * 100 + "\n") * 100 + "```",  # strings that never end: seconds without a limit
        "```python\n" + ('"""' * 100 + "\n") * 60 + "```",
    ],
)
def test_code_that_a_lexer_chokes_on_is_still_shown(text):
    rendered = render_text(RenderJob("text", text))
    assert rendered.html is not None
    assert "<pre" in rendered.html


@pytest.mark.parametrize("error", [MemoryError, RecursionError])
def test_a_text_that_takes_too_much_otherwise_is_shown_as_written(monkeypatch, error):
    def fails(*_, **__):
        raise error

    monkeypatch.setattr(worker, "render", fails)
    assert render_text(RenderJob("text", "a")) == RenderResult(None)


def test_a_fault_of_ours_is_told_to_the_log_and_the_text_shown_as_written(monkeypatch):
    monkeypatch.setattr(worker, "render", lambda *_, **__: 1 / 0)
    rendered = render_text(RenderJob("text", "a"))
    assert rendered.html is None
    assert "ZeroDivisionError" in rendered.fault


def test_a_page_whose_time_is_used_up_gets_the_rest_of_its_texts_next_time(monkeypatch):
    monkeypatch.setattr(limits, "MARKDOWN_PAGE_CPU_S", 0.0)
    assert render_texts([RenderJob("text", "a")]) == [RenderResult(None, final=False)]


def test_code_is_answered_with_where_its_colours_are():
    code = RenderJob("code", 'def f():\n    return "a<b"  # so', language="python")
    assert render_text(code) == RenderResult("k0-3 f4-5\nk4-10 s11-16 c18-22")


def test_code_in_a_language_that_is_not_known_has_no_colours():
    assert render_text(RenderJob("code", "def f():", language="")) == RenderResult("")


def test_code_whose_colours_cost_too_much_has_none(monkeypatch):
    monkeypatch.setattr(limits, "CODE_CPU_S", 0.05)
    monkeypatch.setattr(worker, "colour_spans", never_ends)
    assert render_text(RenderJob("code", "x = 1", language="python")) == RenderResult(None)
