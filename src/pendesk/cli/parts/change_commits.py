"""The commits of a change, the files that each touches, and which of them wrote the lines that it adds."""

import re
import time
from collections.abc import Iterator
from typing import NamedTuple

from pendesk.cli.parts.change_diff import FileDiff, iterate_hunks
from pendesk.cli.parts.git import Git, GitFailed
from pendesk.domain.limits import CHANGE_BLAME_RANGES

BLAME_S = 10.0  # of all files together; lines of the rest are nobody's
BLAME_RANGES_AT_ONCE = 2_000  # each is an argument of the command
_BLAMED = re.compile(rb"^([0-9a-f]{40,64}) \d+ (\d+) (\d+)$", re.MULTILINE)

# (first new line, how many, place of the commit)
Blame = list[tuple[int, int, int]]


class Commit(NamedTuple):
    sha: str
    subject: str
    paths: frozenset[bytes]


def list_commits(git: Git, revisions: str) -> list[Commit]:
    """The oldest first. A merge touches what it has otherwise than every parent of it."""
    printed = git.run(
        "log", "--topo-order", "--reverse", "--no-decorate", "--format=%H%x00%s", "--end-of-options", revisions
    )
    subjects = dict(line.decode(errors="replace").split("\0", 1) for line in printed.split(b"\n") if line)
    paths: dict[str, set[bytes]] = {sha: set() for sha in subjects}
    request = "".join(f"{sha}\n" for sha in subjects).encode()
    tree = ("diff-tree", "--stdin", "-r", "-c", "--root", "--no-renames", "--name-only", "-z")
    current = ""
    for field in git.run(*tree, stdin=request).split(b"\0"):
        sha = field.decode(errors="replace")
        if sha in paths:
            current = sha
        elif field:
            paths[current].add(field)
    return [Commit(sha, subject, frozenset(paths[sha])) for sha, subject in subjects.items()]


def blame_added_lines(git: Git, revisions: str, files: list[FileDiff], commits: list[Commit]) -> dict[bytes, Blame]:
    """By path. A file that a single commit touches needs no blame of git, which takes long."""
    until = time.monotonic() + BLAME_S
    blames: dict[bytes, Blame] = {}
    for file in files:
        ranges = list(_added_ranges(file.hunks))
        if not ranges:
            continue
        path, old_path = file.entry.path, file.entry.old_path
        touching = [place for place, commit in enumerate(commits) if path in commit.paths or old_path in commit.paths]
        if len(touching) == 1:
            blames[path] = [(start, count, touching[0]) for start, count in ranges]
        elif touching and len(ranges) <= BLAME_RANGES_AT_ONCE and time.monotonic() < until:
            blames[path] = _blame(git, revisions, path, ranges, commits, until - time.monotonic())
    return {path: blame for path, blame in blames.items() if len(blame) <= CHANGE_BLAME_RANGES}


def _blame(
    git: Git, revisions: str, path: bytes, ranges: list[tuple[int, int]], commits: list[Commit], seconds: float
) -> Blame:
    places = {commit.sha.encode(): place for place, commit in enumerate(commits)}
    lines = [f"-L{start},+{count}" for start, count in ranges]
    options = ("--incremental", "--no-textconv", *lines)
    try:
        printed = git.run("blame", *options, revisions, "--", path.decode(errors="surrogateescape"), timeout_s=seconds)
    except GitFailed:  # it takes too long, or there is no telling
        return []
    blamed = ((int(start), int(count), places.get(sha)) for sha, start, count in _BLAMED.findall(printed))
    return sorted((start, count, place) for start, count, place in blamed if place is not None)


def _added_ranges(hunks: bytes) -> Iterator[tuple[int, int]]:
    """Stretches of added lines: number of the first in the new file, and how many."""
    for new_start, lines in iterate_hunks(hunks):
        number, count = new_start, 0
        for line in [*lines, b" "]:
            mark = line[:1]
            if mark != b"+" and mark != b"\\" and count:
                yield number - count, count
                count = 0
            count += mark == b"+"
            number += mark in (b"+", b" ")
