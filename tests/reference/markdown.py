"""Markdown for the generated pages: tables, and anchors that carry the name of what they lead to."""

from collections.abc import Iterable, Sequence


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [list(columns), ["---"] * len(columns), *rows]
    return [*(f"| {' | '.join(map(cell, line))} |" for line in lines), ""]


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def anchored(name: str, text: str) -> str:
    """A row is found by its name, as a heading is."""
    return f'<a id="{name}"></a>{text}'


def plain(text: str) -> str:
    """Text from the program, as text: nothing in it is markup, except for code."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def code(text: object) -> str:
    return f"`{text}`"
