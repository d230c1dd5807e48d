"""The commands of the guides: every fenced block, in order, and the output that is shown after it."""

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    page
    for page in ROOT.rglob("*.md")
    if not {".venv", ".clients", "node_modules", "site", ".pytest_cache", ".bench", "samples"}
    & set(page.relative_to(ROOT).parts)
)
SHELL = "sh"
# What is no command: programs, texts, and the output that a command is shown with.
OTHERS = ("python", "jinja", "json", "toml", "text", 'text title="prints"')
PRINTS = 'text title="prints"'
_FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Command(NamedTuple):
    page: Path
    line: int
    text: str
    prints: str | None  # as the guide shows it, with ... for what may differ

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


class Block(NamedTuple):
    line: int
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    return [Block(text.count("\n", 0, match.start()) + 2, *match.groups()) for match in _FENCE.finditer(text)]


def commands(page: Path) -> list[Command]:
    listed: list[Command] = []
    for block in blocks(page):
        if block.language == PRINTS:
            listed[-1] = listed[-1]._replace(prints=block.text)
        elif block.language == SHELL:
            listed += _split(page, block)
    return listed


def _split(page: Path, block: Block) -> list[Command]:
    """A command goes on until the shell would take it for whole."""
    split: list[Command] = []
    waiting: list[str] = []
    for number, line in enumerate(block.text.splitlines(), block.line):
        if not waiting and (not line.strip() or line.startswith("#")):
            continue
        waiting.append(line)
        if _is_whole("\n".join(waiting)):
            split.append(Command(page, number - len(waiting) + 1, "\n".join(waiting), None))
            waiting = []
    assert not waiting, f"{page}:{block.line}: {waiting[0]!r} has no end"
    return split


def _is_whole(text: str) -> bool:
    if text.endswith("\\"):
        return False
    if not re.search(r"['\"({]", text):
        return True
    return subprocess.run(["bash", "-n", "-c", text], capture_output=True, check=False).returncode == 0


def matches(expected: str, printed: str) -> bool:
    """Whether a command printed what the guide shows; `...` stands for anything, alone on a line for any lines."""
    parts = []
    for line in expected.strip("\n").splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(r".*?".join(re.escape(piece.rstrip()) for piece in line.split("...")) + r"[ \t]*\n")
    return re.fullmatch("".join(parts), printed.strip("\n") + "\n") is not None
