"""The rows of a file's diff, as many as a page shows at once: in colours, in one column or two, with their comments."""

import asyncio
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from markupsafe import Markup

from pendesk.domain.diff_lines import (
    DiffLine,
    fold_runs,
    hide_blank_changes,
    mark_changed_words,
    number_lines,
    pair_lines,
)
from pendesk.domain.hidden_characters import has_turning
from pendesk.domain.limits import (
    CHANGE_FIRST_LINES,
    CHANGE_FIRST_TABLE_LINES,
    CHANGE_FOLDED_RUN_LINES,
    CHANGE_TABLE_LINES,
    DIFF_BRIEF_STEPS,
)
from pendesk.domain.word_diff import StepBudget
from pendesk.transports.markdown.colours import language_of_path
from pendesk.transports.markdown.job import RenderJob
from pendesk.transports.markdown.prose import RENDERER
from pendesk.transports.web.parts.diff_html import line_html, split_row, unified_row

Columns = Literal["unified", "split"]


class DiffRow(NamedTuple):
    """`comments`: on this line, or on the last of several. `is_unchanged`: the line is the same on both sides."""

    html: Markup
    comments: list[Any]
    columns: int
    is_unchanged: bool


class HunkPart(NamedTuple):
    """A hunk, or the part of it that the chunk has. `parts`: (whether they are folded, rows)."""

    hunk: Any
    is_start: bool
    parts: list[tuple[bool, list[DiffRow]]]


class DiffChunk(NamedTuple):
    """`start` and `end` count the lines that are shown; `lines` is how many the file has of them. `tables`: each has
    so few rows that a browser lays them out at once without stopping the reader.
    """

    file: Any
    columns: Columns
    tables: list[list[HunkPart]]
    start: int
    end: int
    lines: int
    hidden_hunks: int
    turns_text: bool
    unplaced_comments: list[Any]


class _Part(NamedTuple):
    hunk: Any
    is_start: bool
    lines: list[DiffLine]


class _Sliced(NamedTuple):
    parts: list[_Part]
    lines: int
    hidden_hunks: int
    places: set[tuple[str, int]]


async def build_chunk(
    file: Any, start: int, count: int, *, columns: Columns, hides_blanks: bool, criterion_id: str | None
) -> DiffChunk:
    sliced = await asyncio.to_thread(_slice, file, start, count, hides_blanks, criterion_id)
    jobs = [job for part in sliced.parts for job in _colour_jobs(part, language_of_path(file.path))]
    colours = await RENDERER.colour(jobs) if jobs else []
    placed = [
        comment
        for comment in file.comments
        if not (comment.outdated or comment.elsewhere) and (comment.side, comment.end_line) in sliced.places
    ]
    hunks = await asyncio.to_thread(_build_hunks, sliced.parts, colours, placed, columns)
    end = start + sum(len(part.lines) for part in sliced.parts)
    text = "".join(line.text for part in sliced.parts for line in part.lines)
    return DiffChunk(
        file=file,
        columns=columns,
        tables=_split_into_tables(hunks, _room_of_first_table(count)),
        start=start,
        end=end,
        lines=sliced.lines,
        hidden_hunks=sliced.hidden_hunks,
        turns_text=has_turning(text),
        unplaced_comments=[comment for comment in file.comments if comment not in placed] if start == 0 else [],
    )


def _slice(file: Any, start: int, count: int, hides_blanks: bool, criterion_id: str | None) -> _Sliced:
    budget = StepBudget(DIFF_BRIEF_STEPS)
    parts: list[_Part] = []
    places: set[tuple[str, int]] = set()
    at = hidden = 0
    for hunk in file.hunks:
        lines = number_lines(hunk.old_start, hunk.new_start, hunk.lines)
        places |= set(_places(lines))
        if hides_blanks:
            lines = hide_blank_changes(lines, budget)
        is_wanted = criterion_id is None or criterion_id in hunk.criterion_ids
        if not is_wanted or all(line.mark == " " for line in lines):
            hidden += 1
            continue
        wanted = lines[max(0, start - at) : max(0, start + count - at)]
        if wanted:
            parts.append(_Part(hunk, start <= at, mark_changed_words(wanted, budget)))
        at += len(lines)
    return _Sliced(parts, at, hidden, places)


def _places(lines: Iterable[DiffLine]) -> Iterable[tuple[str, int]]:
    for line in lines:
        if line.old is not None:
            yield "old", line.old
        if line.new is not None:
            yield "new", line.new


def _colour_jobs(part: _Part, language: str) -> list[RenderJob]:
    """Each side is read by itself, as it was and as it is; the old one only where lines of it are shown."""
    old = "\n".join(line.text for line in part.lines if line.mark != "+")
    new = "\n".join(line.text for line in part.lines if line.mark != "-")
    has_removed = any(line.mark == "-" for line in part.lines)
    return [RenderJob("code", text, language=language) for text in ([old] if has_removed else []) + [new]]


def _build_hunks(parts: list[_Part], colours: list[str], comments: list[Any], columns: Columns) -> list[HunkPart]:
    by_place: dict[tuple[str, int], list[Any]] = {}
    for comment in comments:
        by_place.setdefault((comment.side, comment.end_line), []).append(comment)
    answers = iter(colours)
    return [HunkPart(part.hunk, part.is_start, _fold(_rows(part, answers, by_place, columns))) for part in parts]


def _rows(part: _Part, answers: Any, by_place: dict[tuple[str, int], list[Any]], columns: Columns) -> list[DiffRow]:
    has_removed = any(line.mark == "-" for line in part.lines)
    old_colours = iter(next(answers).split("\n") if has_removed else ())
    new_colours = iter(next(answers).split("\n"))
    painted: dict[DiffLine, Markup] = {}
    for line in part.lines:
        was = next(old_colours, "") if line.mark != "+" else ""
        colour = was if line.mark == "-" else next(new_colours, "")
        painted[line] = line_html(line.text, colour, line.changed)
    if columns == "unified":
        return [_row(unified_row(line, painted[line]), [line], by_place, 3) for line in part.lines]
    rows = []
    for pair in pair_lines(part.lines):
        sides = [(line, painted[line]) if line else None for line in (pair.old, pair.new)]
        rows.append(_row(split_row(*sides), [line for line in (pair.old, pair.new) if line], by_place, 2))
    return rows


def _row(html: Markup, lines: list[DiffLine], by_place: dict[tuple[str, int], list[Any]], columns: int) -> DiffRow:
    comments: list[Any] = []
    if by_place:
        comments = [comment for place in dict.fromkeys(_places(lines)) for comment in by_place.get(place, [])]
    return DiffRow(html, comments, columns, lines[-1].mark == " ")


def _fold(rows: list[DiffRow]) -> list[tuple[bool, list[DiffRow]]]:
    return fold_runs(rows, _is_foldable, CHANGE_FOLDED_RUN_LINES)


def _room_of_first_table(count: int) -> int:
    """What comes with the page is painted first, and only its first lines are on the first screen."""
    return CHANGE_FIRST_TABLE_LINES if count <= CHANGE_FIRST_LINES else CHANGE_TABLE_LINES


def _split_into_tables(hunks: list[HunkPart], room_of_first: int) -> list[list[HunkPart]]:
    tables: list[list[HunkPart]] = [[]] if hunks else []
    room = room_of_first
    for hunk in hunks:
        is_start = hunk.is_start
        for folded, rows in hunk.parts:
            left = rows
            while left:
                if room <= 0:
                    tables.append([])
                    room = CHANGE_TABLE_LINES
                taken = len(left) if folded else room  # what is folded takes no room
                tables[-1].append(HunkPart(hunk.hunk, is_start, [(folded, left[:taken])]))
                room -= 1 if folded else len(left[:taken])
                left, is_start = left[taken:], False
    return tables


def _is_foldable(row: DiffRow) -> bool:
    """What stayed, and has no comment."""
    return row.is_unchanged and not row.comments
