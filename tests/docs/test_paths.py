"""Every file and folder that the docs name is there, under that name."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])
# What changed is history: a name of that time is right there.
PAGES.remove(ROOT / "CHANGELOG.md")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]+(/[\w.-]+)*/?")
FOLDERS = ("src", "clients", "tests", "docs", "bench", "scripts", "deploy", "examples", "locks")
FILES = {
    path.relative_to(ROOT).as_posix()
    for folder in FOLDERS
    for path in (ROOT / folder, *(ROOT / folder).rglob("*"))
    if "__pycache__" not in path.parts
}
# The first word of a path that is ours: a folder at the top, or one of the packages.
OURS = {part for path in FILES if "." not in path for part in path.split("/")}
# Files of a reader's own, or of an example.
NOT_OURS = re.compile(r"\.\.\.|archive_action|tests/(test_cli|tides)|^rules\.py$|^backups$")


def named(page: Path) -> set[str]:
    texts = CODE.findall(FENCE.sub("", page.read_text("utf-8")))
    return {text for text in texts if PATH.fullmatch(text) and looks_like_ours(text) and not NOT_OURS.search(text)}


def looks_like_ours(text: str) -> bool:
    return text.endswith(".py") or ("/" in text and text.split("/")[0] in OURS)


def is_there(path: str) -> bool:
    wanted = path.rstrip("/")
    return any(known == wanted or known.endswith(f"/{wanted}") for known in FILES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_is_named_is_there(page):
    assert sorted(path for path in named(page) if not is_there(path)) == []
