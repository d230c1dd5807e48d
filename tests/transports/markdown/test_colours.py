"""Colours by the name of a file, at the places of its text, whatever is in it."""

import pytest

from pendesk.transports.markdown.colours import LANGUAGES, LINEAR, SQUARE, colour_spans, language_of_path


@pytest.mark.parametrize(
    ("path", "language"),
    [("src/app.py", "python"), ("a/Makefile", "makefile"), ("x.test.TSX", "tsx"), ("a.py/notes", ""), ("", "")],
)
def test_the_language_is_that_of_the_name(path, language):
    assert language_of_path(path) == language


def test_every_language_is_one_whose_cost_was_measured():
    assert set(LANGUAGES) <= LINEAR | SQUARE


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_line_has_its_own_colours_and_none_is_beyond_its_end(language):
    code = '/* a\n b */\r\n"x\ty" = 12;\n\n# c \u2028 d\n"""é\n```'
    lines = colour_spans(code, language).split("\n")
    assert len(lines) == len(code.split("\n"))
    for line, spans in zip(code.split("\n"), lines, strict=True):
        for span in spans.split():
            start, _, end = span[1:].partition("-")
            assert 0 <= int(start) < int(end) <= len(line)
