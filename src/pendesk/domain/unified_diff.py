"""Reads what `git diff` prints, and what GitHub sends for it: which files changed, and their hunks.

A diff is written by strangers. So lines are counted as the hunk's head says, and never looked at for a new file within
them; what is not a diff of git is refused; a line that nobody could read is cut.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pendesk.domain.change import FileKind, FileStatus, Hunk
from pendesk.domain.errors import BadField
from pendesk.domain.limits import CHANGE_LINE_CHARS, CHANGE_LINES, PATH_CHARS

_HEAD = re.compile(rb"\A@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)\Z", re.DOTALL)
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abfnrtv"\\])')
_ESCAPED = {b"a": 7, b"b": 8, b"f": 12, b"n": 10, b"r": 13, b"t": 9, b"v": 11, b'"': 34, b"\\": 92}
_CONTROL = re.compile("[\x00-\x1f\x7f]")
_START = b"diff --git "
_SUBMODULE = b"160000"


class ParsedFile(NamedTuple):
    """`is_cut`: it has so many lines that its hunks are left out; they are counted all the same. `blobs`: what git
    calls the two contents, which tells versions of a binary file apart.
    """

    path: str
    old_path: str | None
    status: FileStatus
    kind: FileKind
    added: int
    removed: int
    hunks: list[Hunk]
    is_cut: bool
    blobs: str


class ParsedDiff(NamedTuple):
    """`has_more`: there are more files than were asked for."""

    files: list[ParsedFile]
    has_more: bool


class _Header:
    """What comes before the hunks of a file."""

    def __init__(self, start_line: bytes) -> None:
        self._names = start_line.removeprefix(_START)
        self.status = FileStatus.MODIFIED
        self.kind = FileKind.TEXT
        self.old: bytes | None = None
        self.new: bytes | None = None
        self.blobs = ""

    def read(self, line: bytes) -> None:
        key, _, value = line.partition(b" ")
        two_words = b" ".join(line.split(b" ", 2)[:2])
        if key in (b"---", b"+++"):
            self._read_name(key, value)
        elif two_words in (b"rename from", b"copy from"):
            self.status = FileStatus.RENAMED if key == b"rename" else FileStatus.COPIED
            self.old = _unquote(line.split(b" ", 2)[2])
        elif two_words in (b"rename to", b"copy to"):
            self.new = _unquote(line.split(b" ", 2)[2])
        elif two_words in (b"new file", b"deleted file"):
            self.status = FileStatus.ADDED if key == b"new" else FileStatus.DELETED
        elif key == b"Binary" or line == b"GIT binary patch":
            self.kind = FileKind.BINARY
        elif key == b"index":
            self.blobs = value.decode(errors="replace")
        if key in (b"index", b"new", b"deleted", b"old") and line.endswith(_SUBMODULE):
            self.kind = FileKind.SUBMODULE

    def _read_name(self, key: bytes, value: bytes) -> None:
        name = _unquote(value.rstrip(b"\t"))
        if name == b"/dev/null":
            return
        stripped = name.partition(b"/")[2]  # a/ or b/, or what diff.mnemonicPrefix makes of it
        if key == b"---":
            self.old = self.old or stripped
        else:
            self.new = self.new or stripped

    def paths(self) -> tuple[str, str | None]:
        """The new path, and the old one where it is another."""
        if self.old is None and self.new is None:
            self.new = self._name_in_start_line()
        path = _decode_path(self.new or self.old or b"")
        old = _decode_path(self.old) if self.old is not None else path
        return path, old if self.status in (FileStatus.RENAMED, FileStatus.COPIED) and old != path else None

    def _name_in_start_line(self) -> bytes:
        """Of a file without hunks: both names are the same there, so each is half of the rest."""
        if self._names.startswith(b'"'):
            return _unquote(self._names[: self._names.find(b'" ') + 1]).partition(b"/")[2]
        half = self._names[: len(self._names) // 2]
        return half.partition(b"/")[2]


def parse_diff(diff: bytes, max_files: int) -> ParsedDiff:
    lines = iter(diff.removesuffix(b"\n").split(b"\n")) if diff.strip() else iter(())
    files: list[ParsedFile] = []
    room = CHANGE_LINES
    line = _next_file(lines)
    while line is not None:
        if len(files) == max_files:
            return ParsedDiff(files, True)
        file, line = _parse_file(line, lines, room)
        room -= sum(len(hunk.lines) for hunk in file.hunks)
        files.append(file)
    if not files and diff.strip():
        raise _unreadable("it has no line that begins with diff --git")
    return ParsedDiff(files, False)


def _next_file(lines: Iterator[bytes]) -> bytes | None:
    return next((line for line in lines if line.startswith(_START)), None)


def _parse_file(start_line: bytes, lines: Iterator[bytes], room: int) -> tuple[ParsedFile, bytes | None]:
    """With the first line of the next one, None at the end."""
    header, hunks = _Header(start_line), _Hunks(room)
    line: bytes | None
    for line in lines:
        if line.startswith(_START):
            break
        if line.startswith(b"@@ "):
            hunks.read(line, lines)
        elif line.startswith(b"\\"):
            hunks.read_missing_end(line)
        elif not hunks.count:
            header.read(line)
    else:
        line = None
    path, old_path = header.paths()
    kept = [] if header.kind == FileKind.BINARY or hunks.is_cut else hunks.hunks
    return ParsedFile(
        path, old_path, header.status, header.kind, hunks.added, hunks.removed, kept, hunks.is_cut, header.blobs
    ), line


class _Hunks:
    def __init__(self, room: int) -> None:
        self.hunks: list[Hunk] = []
        self.count = self.added = self.removed = 0
        self._room = room

    @property
    def is_cut(self) -> bool:
        return self._room < 0

    def read(self, head_line: bytes, lines: Iterator[bytes]) -> None:
        match = _HEAD.match(head_line)
        if match is None:
            raise _unreadable("a hunk has no head that can be read")
        old_start, old_count, new_start, new_count = (int(group) if group else 1 for group in match.groups()[:4])
        content = self._content(lines, old_count, new_count)
        self.count += 1
        if not self.is_cut:
            heading = _decode_line(match[5].rstrip(b"\r"))
            self.hunks.append(Hunk(old_start, old_count, new_start, new_count, heading, content))

    def _content(self, lines: Iterator[bytes], old_left: int, new_left: int) -> list[str]:
        content: list[str] = []
        while old_left > 0 or new_left > 0:
            line = next(lines, None)
            mark = line[:1] if line else b" "  # an editor took the blank of an empty line
            if line is None or mark not in (b" ", b"+", b"-", b"\\"):
                raise _unreadable("a hunk has fewer lines than its head says")
            old_left -= mark in (b" ", b"-")
            new_left -= mark in (b" ", b"+")
            self.removed += mark == b"-"
            self.added += mark == b"+"
            self._room -= 1
            if not self.is_cut:
                content.append(_decode_line(line or b" "))
        return content

    def read_missing_end(self, line: bytes) -> None:
        """It comes after the last line of a hunk."""
        if self.hunks and not self.is_cut:
            self.hunks[-1].lines.append(_decode_line(line))


def _decode_line(line: bytes) -> str:
    text = line.decode(errors="replace").replace("\0", "\ufffd")
    hidden = len(text) - CHANGE_LINE_CHARS
    return text if hidden <= 0 else f"{text[:CHANGE_LINE_CHARS]} … ({hidden} more characters)"


def _decode_path(path: bytes) -> str:
    """As it is shown; nothing is ever opened by it. Control characters are written out."""
    text = _CONTROL.sub(lambda control: f"\\x{ord(control[0]):02x}", path.decode(errors="replace"))
    if not text or text.startswith("/") or ".." in text.split("/") or len(text) > PATH_CHARS:
        raise _unreadable(f"{text[:80]!r} is no path of a file in a repository")
    return text


def _unquote(name: bytes) -> bytes:
    """Git puts names with special characters between quotation marks, as C does."""
    if not (name.startswith(b'"') and name.endswith(b'"') and len(name) > 1):
        return name
    return _ESCAPE.sub(
        lambda escape: bytes([_ESCAPED[escape[1]] if escape[1] in _ESCAPED else int(escape[1], 8) & 255]), name[1:-1]
    )


def _unreadable(reason: str) -> BadField:
    return BadField("", f"The diff cannot be read: {reason}. Send what `git diff` prints.")
