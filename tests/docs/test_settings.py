"""The table of settings in docs/self-host.md: each one, with its default."""

import re
from pathlib import Path

import pytest

from pendesk.settings import load

PAGE = (Path(__file__).parents[2] / "docs/self-host.md").read_text("utf-8")
ROWS = re.findall(r"^\| (`[a-z_]+`[^|]*) \| ([^|]*?) ?\|", PAGE.split("## Settings")[1], re.MULTILINE)


def documented() -> dict[str, str]:
    found: dict[str, str] = {}
    for names, defaults in ROWS:
        named = re.findall(r"`([a-z_]+)`", names)
        shared = defaults.split(", ") if ", " in defaults else [defaults] * len(named)
        found |= dict(zip(named, shared, strict=True))
    return found


# Where the program's word for it is not what a reader would look for.
IN_WORDS = {"": "(not set)", "none": "", "the file `secret.key`": "(not set)"}


def test_every_setting_is_there(tmp_path):
    assert set(documented()) == set(load(data=str(tmp_path), environ={}).origins)


@pytest.mark.parametrize("name", sorted(set(documented()) - {"data", "config"}))
def test_its_default_is_the_programs(name, tmp_path):
    told = documented()[name]
    assert IN_WORDS.get(told, told) == load(data=str(tmp_path), environ={}).origins[name].shown
