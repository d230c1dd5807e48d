"""The guides speak the vocabulary of the glossary: words that it replaced do not come back."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
REPLACED = re.compile(
    r"\b(door|doors|bell|rail|courier|errand|whom|told|shut out|hand(s|ed|ing)? in|handed back|in hand)\b", re.I
)
# Generated from the program's own texts, or history.
OTHERS = {ROOT / "CHANGELOG.md", *(ROOT / "docs/reference").iterdir()}
PAGES = sorted({*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")} - OTHERS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_word_that_was_replaced(page):
    lines = CODE.sub("", page.read_text("utf-8")).splitlines()
    assert [line for line in lines if REPLACED.search(line)] == []
