"""The lines of a hunk as people read them: numbered, side by side, without what only moves blanks, folded.

All of it is worked out from a diff that strangers wrote, so every comparison shares one budget: beyond it a line is
shown as removed and added, without more.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple, TypeVar

from pendesk.domain.limits import COLOURED_LINE_CHARS, DIFF_LINE_STEPS
from pendesk.domain.word_diff import StepBudget, diff_blocks, word_diff

Mark = Literal[" ", "+", "-"]
# Of two lines that have less in common, each is shown as a whole: pieces of chance are harder to read.
ALIKE = 0.4
KEPT_AROUND_A_FOLD = 3

T = TypeVar("T")


class DiffLine(NamedTuple):
    """Context has both numbers. `changed`: (start, end) of the words that differ from the other line of its pair."""

    mark: Mark
    old: int | None
    new: int | None
    text: str
    has_newline: bool = True
    changed: tuple[tuple[int, int], ...] = ()


class LinePair(NamedTuple):
    """Side by side: what was there, and what is there now."""

    old: DiffLine | None
    new: DiffLine | None


def number_lines(old_start: int, new_start: int, lines: Iterable[str]) -> list[DiffLine]:
    """A line that begins with a backslash says that the one before it has no end of line."""
    numbered: list[DiffLine] = []
    old, new = old_start, new_start
    for line in lines:
        mark, text = line[:1], line[1:]
        if mark == "\\":
            if numbered:
                numbered[-1] = numbered[-1]._replace(has_newline=False)
        elif mark == "-":
            numbered.append(DiffLine("-", old, None, text))
            old += 1
        elif mark == "+":
            numbered.append(DiffLine("+", None, new, text))
            new += 1
        else:
            numbered.append(DiffLine(" ", old, new, text))
            old, new = old + 1, new + 1
    return numbered


def hide_blank_changes(lines: Sequence[DiffLine], budget: StepBudget) -> list[DiffLine]:
    """As `git diff -w` does: a line that differs in blanks only is context, as it reads now."""
    shown: list[DiffLine] = []
    for removed, added, context in _runs(lines):
        before = ["".join(line.text.split()) for line in removed]
        after = ["".join(line.text.split()) for line in added]
        for block in diff_blocks(before, after, DIFF_LINE_STEPS, budget):
            old, new = removed[block.a0 : block.a1], added[block.b0 : block.b1]
            if block.same:
                shown += [now._replace(mark=" ", old=was.old) for was, now in zip(old, new, strict=True)]
            else:
                shown += [*old, *new]
        shown += context
    return shown


def mark_changed_words(lines: Sequence[DiffLine], budget: StepBudget) -> list[DiffLine]:
    marked: list[DiffLine] = []
    for removed, added, context in _runs(lines):
        for index, (was, now) in enumerate(zip(removed, added, strict=False)):
            removed[index], added[index] = _mark_words_of_pair(was, now, budget)
        marked += [*removed, *added, *context]
    return marked


def pair_lines(lines: Sequence[DiffLine]) -> list[LinePair]:
    """A removed line stands beside the added one in the same place of its run."""
    pairs: list[LinePair] = []
    for removed, added, context in _runs(lines):
        for index in range(max(len(removed), len(added))):
            old = removed[index] if index < len(removed) else None
            pairs.append(LinePair(old, added[index] if index < len(added) else None))
        pairs += [LinePair(line, line) for line in context]
    return pairs


def fold_runs(rows: Sequence[T], is_foldable: Callable[[T], bool], longest: int) -> list[tuple[bool, list[T]]]:
    """(whether it is folded, its rows). Of a longer run the middle is folded."""
    parts: list[tuple[bool, list[T]]] = [(False, [])]
    for foldable, group in groupby(rows, is_foldable):
        run = list(group)
        if foldable and len(run) > longest:
            parts[-1][1].extend(run[:KEPT_AROUND_A_FOLD])
            parts.append((True, run[KEPT_AROUND_A_FOLD:-KEPT_AROUND_A_FOLD]))
            parts.append((False, run[-KEPT_AROUND_A_FOLD:]))
        else:
            parts[-1][1].extend(run)
    return [part for part in parts if part[1]]


def _runs(lines: Sequence[DiffLine]) -> Iterator[tuple[list[DiffLine], list[DiffLine], list[DiffLine]]]:
    """(removed, added, context): lines that were replaced by others, or lines that stayed."""
    for is_context, group in groupby(lines, lambda line: line.mark == " "):
        run = list(group)
        if is_context:
            yield [], [], run
        else:
            yield [line for line in run if line.mark == "-"], [line for line in run if line.mark == "+"], []


def _mark_words_of_pair(old: DiffLine, new: DiffLine, budget: StepBudget) -> tuple[DiffLine, DiffLine]:
    longest = max(len(old.text), len(new.text))
    if longest > COLOURED_LINE_CHARS or budget.left <= 0:
        return old, new
    parts = word_diff(old.text, new.text, budget)
    same = sum(len(part.text.strip()) for part in parts if part.change == "same")
    if same < ALIKE * longest:
        return old, new
    spans: dict[str, list[tuple[int, int]]] = {"removed": [], "added": []}
    at = {"removed": 0, "added": 0}
    for change, text in parts:
        for side in at if change == "same" else (change,):
            if change != "same":
                spans[side].append((at[side], at[side] + len(text)))
            at[side] += len(text)
    return old._replace(changed=tuple(spans["removed"])), new._replace(changed=tuple(spans["added"]))
