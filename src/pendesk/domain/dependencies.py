"""Dependencies that a change adds, read from its hunks alone: what was there before is not known whole."""

from collections.abc import Sequence
from typing import NamedTuple

from pendesk.domain.change import Hunk
from pendesk.domain.dependency_files import (
    Lines,
    ListedDependency,
    Reader,
    read_cargo_toml,
    read_go_mod,
    read_package_json,
    read_pyproject,
    read_requirements,
)
from pendesk.domain.limits import DEPENDENCY_NAME_CHARS
from pendesk.domain.path_globs import matches
from pendesk.domain.scope_rules import normal_dependency_name

_READERS: dict[str, Reader] = {
    "**/pyproject.toml": read_pyproject,
    "**/requirements*.txt": read_requirements,
    "**/requirements/*.txt": read_requirements,
    "**/package.json": read_package_json,
    "**/go.mod": read_go_mod,
    "**/Cargo.toml": read_cargo_toml,
}


class AddedDependency(NamedTuple):
    """`sure`: the section that it stands in was among the lines, or named by a heading."""

    name: str
    path: str
    sure: bool


def lists_dependencies(path: str) -> bool:
    return _reader(path) is not None


def added_dependencies(path: str, hunks: Sequence[Hunk]) -> list[AddedDependency]:
    """Those that an added line names and no removed or unchanged one: another version is no addition."""
    reader = _reader(path)
    if reader is None:
        return []
    added: dict[str, AddedDependency] = {}
    known: set[str] = set()
    for hunk in hunks:
        for mark, listed in _read_side(reader, hunk, "+"):
            if mark == "+":
                name = printable_name(listed.name)
                added.setdefault(normal_dependency_name(name), AddedDependency(name, path, listed.sure))
            else:
                known.add(normal_dependency_name(listed.name))
        known |= {normal_dependency_name(listed.name) for _, listed in _read_side(reader, hunk, "-")}
    return [dependency for name, dependency in added.items() if name not in known]


def printable_name(name: str) -> str:
    """What cannot be seen is written out, so that no name reads like another."""
    shown = "".join(char if char.isprintable() and char != " " else f"\\u{ord(char):04x}" for char in name)
    return shown[:DEPENDENCY_NAME_CHARS] or '""'


def _reader(path: str) -> Reader | None:
    return next((reader for glob, reader in _READERS.items() if matches(glob, path)), None)


def _read_side(reader: Reader, hunk: Hunk, side: str) -> list[tuple[str, ListedDependency]]:
    lines = [line for line in hunk.lines if line[:1] in (" ", side)]
    start = hunk.new_start if side == "+" else hunk.old_start
    part = Lines([line[1:] for line in lines], hunk.heading, at_start=start <= 1)
    return [(lines[listed.line][0], listed) for listed in reader(part)]
