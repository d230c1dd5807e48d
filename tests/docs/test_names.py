"""What the pages for developers name of the program, as code, is there under that name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/pendesk"
PAGES = sorted((ROOT / "docs/internals").glob("*.md"))
# A decision is history: a name of that time is right there.
PAGES.remove(ROOT / "docs/internals/decisions.md")
CODE = re.compile(r"`([^`\n]+)`")
MEMBER = re.compile(r"(\w+)\.(\w+)")
COMPOUND = re.compile(r"[a-z]+(_[a-z0-9]+)+")
FILE_ENDINGS = {"css", "html", "js", "json", "lock", "md", "py", "sql"}
WORD = re.compile(r"\w+")


def words_of(*patterns: str) -> set[str]:
    return {
        word
        for pattern in patterns
        for path in ROOT.glob(pattern)
        if path.is_file()
        for word in (*WORD.findall(path.read_text("utf-8")), path.stem)
    }


def defined_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr


def definitions_by_module_and_class() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        found.setdefault(path.stem, set()).update(defined_in(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, set()).update(defined_in(node))
    return found


DEFINED = definitions_by_module_and_class()
COLUMNS = words_of("src/pendesk/store/engine/migrations/*.sql")
WORDS = COLUMNS | words_of(
    "src/**/*.py", "src/**/*.html", "src/**/*.js", "tests/**/*.py", "bench/*.py", "scripts/*", "*.toml"
)
EVENT_KINDS = (SOURCE / "domain/event.py").read_text("utf-8")
OF_A_LIBRARY = {"sqlite_stat1"}


def is_there(code: str) -> bool:
    member = MEMBER.fullmatch(code)
    if member and member[1] in DEFINED and member[2] not in FILE_ENDINGS:
        of_a_table = member[2] in COLUMNS and member[1].islower()
        return member[2] in DEFINED[member[1]] or of_a_table or f'"{code}"' in EVENT_KINDS
    return not COMPOUND.fullmatch(code) or code in WORDS | OF_A_LIBRARY


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_named_is_defined(page):
    assert sorted({code for code in CODE.findall(page.read_text("utf-8")) if not is_there(code)}) == []
