"""Commands within sentences and tables: each exists, with every option that is shown. Those in blocks are run."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from pendesk.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"```.*?```", re.DOTALL)
_INLINE = re.compile(r"`((?:[A-Z_]+=\S+ )*pendesk [a-z][^`]*)`")


def inline_commands(text: str) -> Iterator[str]:
    yield from (re.split(r" && |[<>|]", code)[0] for code in _INLINE.findall(_BLOCK.sub("", text)))


NAMED = sorted({(page.name, command) for page in PAGES for command in inline_commands(page.read_text("utf-8"))})


def test_there_are_some():
    assert len(NAMED) > 40


@pytest.mark.parametrize(("page", "command"), NAMED, ids=[f"{page}: {command[:60]}" for page, command in NAMED])
def test_the_command_is_there(page, command):
    words = shlex.split(re.sub(r"\[|\]|\.\.\.", "", command))[1:]
    group: click.Command = main
    ctx = click.Context(main, info_name="pendesk")
    while isinstance(group, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        if name.isupper():  # COMMAND, TOOL: any of them
            return
        inner = group.get_command(ctx, name)
        assert inner is not None, name
        group, ctx = inner, click.Context(inner, parent=ctx, info_name=name)
    known = {option for parameter in group.params for option in (*parameter.opts, *parameter.secondary_opts)} | {
        "--help"
    }
    used = {word.split("=")[0] for word in words if word.startswith("--")}
    assert used <= known, used - known
