"""What lies between two commits, file by file, as git prints it.

It is read while git prints it, and the largest files lose their hunks as soon as all of them are too much: a change may
be larger than the memory.
"""

import heapq
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import IO, NamedTuple

from pendesk.cli.parts.git import Git
from pendesk.domain.change import Omission
from pendesk.domain.limits import CHANGE_BYTES, CHANGE_LINES

_DIFF = ("diff-tree", "-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none")
_PATCH = ("-p", "--full-index", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/")
_HUNK = re.compile(rb"@@ -[0-9,]+ \+([0-9]+)")
_START = b"diff --git "
_READ_BYTES = 65_536  # at once: a line may be as long as its file
SUBMODULE_MODE = b"160000"
TYPE_CHANGED = b"T"


class Entry(NamedTuple):
    """One file as `git diff --raw` has it. `added` and `removed` are None for a binary file."""

    path: bytes
    old_path: bytes | None
    status: bytes
    modes: tuple[bytes, bytes]
    blobs: tuple[str, str]
    added: int | None = None
    removed: int | None = None

    @property
    def is_binary(self) -> bool:
        return self.added is None


@dataclass
class FileDiff:
    """`header` is everything before the first hunk; `hunks` is empty where they are left out, or there are none."""

    entry: Entry
    header: bytes
    hunks: bytes
    omitted: Omission | None = None

    def leave_out(self, reason: Omission) -> None:
        self.hunks, self.omitted = b"", reason


def list_entries(git: Git, old: str, new: str) -> list[Entry]:
    """In the order in which git prints their diffs."""
    fields = iter(git.run(*_DIFF, "--raw", "--numstat", "--no-abbrev", "-z", old, new).split(b"\0")[:-1])
    entries: list[Entry] = []
    counts: list[tuple[int | None, int | None]] = []
    for field in fields:
        if field.startswith(b":"):
            old_mode, new_mode, old_blob, new_blob, status = field[1:].split(b" ")
            path, old_path = next(fields), None
            if status[:1] in (b"R", b"C"):
                path, old_path = next(fields), path
            blobs = old_blob.decode(), new_blob.decode()
            entries.append(Entry(path, old_path, status[:1], (old_mode, new_mode), blobs))
        else:
            added, removed, path = field.split(b"\t", 2)
            if not path:  # of a rename, both names follow
                next(fields), next(fields)
            counts.append((_count(added), _count(removed)))
    return [
        entry._replace(added=added, removed=removed) for entry, (added, removed) in zip(entries, counts, strict=True)
    ]


def read_diff(
    git: Git, old: str, new: str, entries: list[Entry], sent: Collection[bytes], left_out: Collection[bytes]
) -> list[FileDiff]:
    """Of the paths in `sent`; of those in `left_out` without their hunks."""
    files: list[FileDiff] = []
    room = _Room()
    with git.stream(*_DIFF, *_PATCH, old, new) as stream:
        for entry, (header, hunks) in zip(_entry_of_sections(entries), _sections(stream), strict=True):
            if entry.path not in sent:
                continue
            file = FileDiff(entry, header, hunks or b"")
            if entry.path in left_out:
                file.leave_out(Omission.LEFT_OUT)
            elif hunks is None:
                file.leave_out(Omission.TOO_LARGE)
            files.append(file)
            room.add(file)
    return files


def join_diff(files: list[FileDiff]) -> bytes:
    return b"".join(part for file in files for part in (file.header, file.hunks))


def blob_sizes(git: Git, blobs: set[str]) -> dict[str, int]:
    """Of those that are here."""
    request = "".join(f"{blob}\n" for blob in sorted(blobs)).encode()
    printed = git.run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=request) if request else b""
    sizes = (line.split() for line in printed.decode().splitlines())
    return {blob: int(size) for blob, size in sizes if size.isdigit()}


def iterate_hunks(hunks: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Number of the first line in the new file, and the lines, each with its mark."""
    new_start, lines = 0, list[bytes]()
    for line in hunks.removesuffix(b"\n").split(b"\n"):
        head = _HUNK.match(line)
        if head is None:
            lines.append(line)
        else:
            if lines:
                yield new_start, lines
            new_start, lines = int(head[1]), []
    yield new_start, lines


class _Room:
    """Takes the hunks of the largest file out, again and again, until all of them fit."""

    def __init__(self) -> None:
        self._bytes = self._lines = self._count = 0
        self._largest: list[tuple[int, int, FileDiff]] = []

    def add(self, file: FileDiff) -> None:
        self._bytes += len(file.header) + len(file.hunks)
        self._lines += file.hunks.count(b"\n")
        self._count += 1
        if file.hunks:
            heapq.heappush(self._largest, (-len(file.hunks), self._count, file))
        while (self._bytes > CHANGE_BYTES or self._lines > CHANGE_LINES) and self._largest:
            _, _, largest = heapq.heappop(self._largest)
            self._bytes -= len(largest.hunks)
            self._lines -= largest.hunks.count(b"\n")
            largest.leave_out(Omission.TOO_LARGE)


def _entry_of_sections(entries: list[Entry]) -> Iterator[Entry]:
    """A file that becomes a link, or a submodule, is printed as one that goes and one that comes."""
    for entry in entries:
        if entry.status == TYPE_CHANGED:
            yield entry._replace(added=0)
            yield entry._replace(removed=0)
        else:
            yield entry


def _sections(stream: IO[bytes]) -> Iterator[tuple[bytes, bytes | None]]:
    """Header and hunks of each file; None for hunks that are larger than a whole change may be."""
    header, hunks = bytearray(), bytearray()
    is_line_start, is_in_hunks = True, False
    for chunk in iter(lambda: stream.readline(_READ_BYTES), b""):
        if is_line_start and chunk.startswith(_START):
            if header:
                yield _section(header, hunks)
            header, hunks, is_in_hunks = bytearray(), bytearray(), False
        is_in_hunks = is_in_hunks or (is_line_start and chunk.startswith(b"@@ "))
        if not is_in_hunks:
            header += chunk
        elif len(hunks) <= CHANGE_BYTES:
            hunks += chunk
        is_line_start = chunk.endswith(b"\n")
    if header:
        yield _section(header, hunks)


def _section(header: bytearray, hunks: bytearray) -> tuple[bytes, bytes | None]:
    return bytes(header), bytes(hunks) if len(hunks) <= CHANGE_BYTES else None


def _count(text: bytes) -> int | None:
    return None if text == b"-" else int(text)
