"""Where a comment on lines of a change stands: the lines as they were quoted, and where they are in a later change."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pendesk.domain.change import FilePatch, Hunk, Side
from pendesk.domain.limits import QUOTE_CHARS, QUOTE_LINES

_OF_SIDE = {"old": " -", "new": " +"}
_SHA_IN_NOTE = re.compile(r"\b[0-9a-f]{7,64}\b")


class LineRange(NamedTuple):
    """From `line` to `end_line`, as they are numbered on their side."""

    side: Side
    line: int
    end_line: int


class _Numbered(NamedTuple):
    number: int
    text: str


def quote_lines(patch: FilePatch, lines: LineRange) -> str | None:
    """The lines, and what of the hunk comes right before them, with the marks of a diff; None where the change does
    not show them all.
    """
    for hunk in patch.hunks:
        shown = [line.number for line in _lines_of_side(hunk, lines.side)]
        if shown and shown[0] <= lines.line <= lines.end_line <= shown[-1]:
            end = _place_of(hunk, lines.side, lines.end_line)
            first = min(_place_of(hunk, lines.side, lines.line), max(0, end + 1 - QUOTE_LINES // 2))
            quoted = hunk.lines[max(first, end + 1 - QUOTE_LINES) : end + 1]
            return _fit(quoted)
    return None


def _fit(quoted: list[str]) -> str:
    """The last lines are those that the comment is about."""
    while len(quoted) > 1 and sum(len(line) + 1 for line in quoted) > QUOTE_CHARS:
        quoted = quoted[1:]
    return "\n".join(quoted)[:QUOTE_CHARS]


def locate_quote(patch: FilePatch, lines: LineRange, quote: str) -> LineRange | None:
    """Where the quoted lines are now, the nearest to where they were; None where they are gone."""
    wanted = _commented_texts(lines, quote)
    matches = [start for hunk in patch.hunks for start in _matches(list(_lines_of_side(hunk, lines.side)), wanted)]
    if not matches:
        return None
    # `wanted` may lack the first lines of a long range.
    end = min(matches, key=lambda start: abs(start + len(wanted) - 1 - lines.end_line)) + len(wanted) - 1
    return LineRange(lines.side, max(1, end - (lines.end_line - lines.line)), end)


def _commented_texts(lines: LineRange, quote: str) -> list[str]:
    of_side = [line[1:] for line in quote.split("\n") if line[:1] in _OF_SIDE[lines.side]]
    return of_side[-(lines.end_line - lines.line + 1) :]


def _matches(shown: list[_Numbered], wanted: list[str]) -> Iterator[int]:
    texts = [line.text for line in shown]
    for place in range(len(texts) - len(wanted) + 1):
        if wanted and texts[place : place + len(wanted)] == wanted:
            yield shown[place].number


def _lines_of_side(hunk: Hunk, side: Side) -> Iterator[_Numbered]:
    number = hunk.old_start if side == "old" else hunk.new_start
    for line in hunk.lines:
        if line[:1] in _OF_SIDE[side]:
            yield _Numbered(number, line[1:])
            number += 1


def _place_of(hunk: Hunk, side: Side, number: int) -> int:
    """Of a line of that number among all lines of the hunk."""
    current = hunk.old_start if side == "old" else hunk.new_start
    for place, line in enumerate(hunk.lines):
        if line[:1] in _OF_SIDE[side]:
            if current == number:
                return place
            current += 1
    raise ValueError(f"the hunk has no line {number}")


def sha_in_note(note: str | None) -> str | None:
    """The commit that a disposition names, which may be shortened."""
    match = _SHA_IN_NOTE.search(note or "")
    return match[0] if match else None
