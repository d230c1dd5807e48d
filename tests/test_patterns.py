"""No regular expression of the source can be made to take more steps than a few for each character of its text.

Each is counted on texts that are made to break it: what leads to one of its repeats, then what the repeat takes over
and over, then something that fits nowhere (`tests/backtracking.py`).
"""

import re
import sys
from collections.abc import Iterator

import pytest

from pendesk.domain import test_report
from pendesk.domain.search import _WORD_BEGINS
from pendesk.transports.markdown import render
from pendesk.transports.web.parts import browser_name
from tests.backtracking import worst_text
from tests.patterns import ROOT, Pattern, patterns

# Not linear, and short: what it reads has been cut before.
BOUNDED = {
    r"\A[^\r\n]*\S[^\r\n]*\Z": "names, labels and globs: at most 250 characters, which are checked first",
    r"\A[^/\\\r\n]*[^/\\\s.][^/\\\r\n]*\Z": "the name of a file: at most 200 characters, which are checked first",
    r"(?<=//).*(?=@)|(?<=password=)[^&]*": "a setting of the server itself",
    r"(?:\r?\n)?<!-- begin -->.*?<!-- end -->(?:\r?\n)?": "a file that whoever runs the command edits",
    r'(?:connection to server (?:at "[^"]*"(?: \([^)]*\))?, port \d+|on socket "[^"]*") failed: )?(?:FATAL: +)?': (
        "what the server's own database says in a line, read from its beginning"
    ),
    r"\s*([{};,])\s*": "our own style sheets, once at the start",
    r"Version/(\d+).*Safari/": "a browser's name for itself: 200 characters of it are kept",
}
# Put together where they are used: one of each, as it comes out.
PUT_TOGETHER = {
    "cli/binding/snippets.py": [r"(?:\r?\n)?<!-- begin -->.*?<!-- end -->(?:\r?\n)?"],
    "domain/github.py": [r"(?<![A-Za-z0-9])PEN-([1-9][0-9]{0,8})(?![A-Za-z0-9])"],
    "domain/search.py": [f"{_WORD_BEGINS}(?:tide|aa|a)"],
    "domain/test_report.py": [test_report._action_ref_pattern(test_report.CriterionAliases({}, [], "PEN", 1)).pattern],
    "transports/web/parts/browser_name.py": [sign for _, sign in browser_name._BROWSERS + browser_name._SYSTEMS],
    "transports/markdown/prose.py": ["0123456789abcdef:([0-9]+);"],
    "transports/markdown/render.py": [f"({render._REF.pattern}|{render._SHA.pattern})"],
}
# Modules of the standard library whose cost grows with the square of their input, or faster.
SLOW_MODULES = ("difflib", "html.parser")
OWN_FILES = ("cli/", "settings.py")  # what these read belongs to whoever runs them

FOUND = list(patterns())


def known() -> Iterator[Pattern]:
    yield from dict.fromkeys(pattern for pattern in FOUND if pattern.text is not None)
    for place, texts in PUT_TOGETHER.items():
        yield from (Pattern(place, text, re.DOTALL if "snippets" in place else 0, anchored=False) for text in texts)


@pytest.fixture(autouse=True)
def room_to_recurse():
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("pattern", list(known()), ids=lambda pattern: f"{pattern.place}: {pattern.text}")
def test_the_steps_of_a_pattern_grow_with_its_text_and_no_faster(pattern):
    worst = worst_text(pattern.text, pattern.flags, anchored=pattern.anchored)
    assert (worst is not None) == (pattern.text in BOUNDED), worst


def test_patterns_that_are_put_together_are_listed():
    assert {pattern.place for pattern in FOUND if pattern.text is None} <= set(PUT_TOGETHER)


def test_nothing_that_callers_send_is_given_to_a_slow_module():
    for path in ROOT.rglob("*.py"):
        if not path.relative_to(ROOT).as_posix().startswith(OWN_FILES):
            imported = re.findall(r"^(?:import|from) ([\w.]+)", path.read_text(), re.M)
            assert not set(imported) & set(SLOW_MODULES), path


@pytest.mark.parametrize(
    ("text", "anchored"),
    [
        (r"[ \t]*<!--", False),
        (r"^## +(.+?)\s*$", False),
        (r"([A-Za-z_][\w -]*?)\s*:(?:\s+(.*))?\Z", True),
        (r" - at `\$\.?(.*)`\Z", False),
        (r"(?:a+)+b", True),
        (r"(?:a|aa)*b", True),
        (r"(?://[^\n]*)*,", True),
        (r"\Ahttps?://[^\s/]+\S*\Z", False),
        (r"\S+@\S+\Z", True),
    ],
)
def test_a_pattern_that_can_be_broken_is_found(text, anchored):
    assert worst_text(text, re.M, anchored=anchored) is not None


@pytest.mark.parametrize("text", [r"[ \t]*+<!--", r"^[ \t]*<!--", r"[^@]+@[^@]+\Z", r"(?:/[a-z][a-z.]*)*\Z"])
def test_a_pattern_that_reads_its_text_once_is_not(text):
    assert worst_text(text, re.M, anchored=True) is None
