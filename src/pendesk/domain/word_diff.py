"""What changed between two texts, word by word, as people read it.

Lines first, then the words of the lines that differ: a changed word in a long text is found at once. Both steps are
Myers' greedy search, which is quick where little has changed; where so much has changed that it would take long, a
passage is told as removed and written anew, which is also how people would read it. Everything that is compared for one
answer shares one effort: many passages, each just short enough, cost no more than a few.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from pendesk.domain.limits import DIFF_CHARS, DIFF_EFFORT_STEPS, DIFF_LINE_STEPS, DIFF_WORD_STEPS

Change = Literal["same", "removed", "added"]

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


class Part(NamedTuple):
    change: Change
    text: str


class DiffBlock(NamedTuple):
    """Items a[a0:a1] have become b[b0:b1]; `same` where they are equal."""

    same: bool
    a0: int
    a1: int
    b0: int
    b1: int


class StepBudget:
    """How many steps the comparisons for one answer may still take."""

    __slots__ = ("left",)

    def __init__(self, steps: int = DIFF_EFFORT_STEPS) -> None:
        self.left = steps


def word_diff(old: str, new: str, budget: StepBudget | None = None) -> list[Part]:
    """Same and removed parts make up the old text; same and added parts the new one."""
    budget = budget or StepBudget()
    if len(old) + len(new) > DIFF_CHARS:
        return _replacement_parts(old, new)
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    parts: list[Part] = []
    for block in diff_blocks(before, after, DIFF_LINE_STEPS, budget):
        old_lines, new_lines = "".join(before[block.a0 : block.a1]), "".join(after[block.b0 : block.b1])
        parts += [Part("same", old_lines)] if block.same else _diff_words_of_changed_lines(old_lines, new_lines, budget)
    return _merge_blanks_between_changes(parts)


def diff_blocks(a: Sequence[str], b: Sequence[str], max_steps: int, budget: StepBudget) -> list[DiffBlock]:
    """How a becomes b. Beyond `max_steps` single changes the middle is one block that differs."""
    head, tail = common_prefix_and_suffix_lengths(a, b)
    middle_a, middle_b = a[head : len(a) - tail], b[head : len(b) - tail]
    equal_runs = _find_matching_blocks(middle_a, middle_b, max_steps, budget)
    runs = [
        (0, 0, head),
        *((x + head, y + head, size) for x, y, size in equal_runs),
        (len(a) - tail, len(b) - tail, tail),
    ]
    return list(_blocks_from_equal_runs(runs))


def _blocks_from_equal_runs(old_and_new_start_and_length: list[tuple[int, int, int]]) -> Iterator[DiffBlock]:
    """The equal runs, and what differs between them."""
    at_a = at_b = 0
    for x, y, size in old_and_new_start_and_length:
        if x > at_a or y > at_b:
            yield DiffBlock(False, at_a, x, at_b, y)
        if size:
            yield DiffBlock(True, x, x + size, y, y + size)
        at_a, at_b = x + size, y + size


def common_prefix_and_suffix_lengths(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    """How many items they begin with alike, and how many of the others they end with alike."""
    head = _common_prefix_length(a, b)
    return head, _common_prefix_length(a[head:][::-1], b[head:][::-1])


def _common_prefix_length(a: Sequence[str], b: Sequence[str]) -> int:
    """How many items they begin with alike. By halves: slices compare at the speed of the machine."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _find_matching_blocks(
    a: Sequence[str], b: Sequence[str], max_steps: int, budget: StepBudget
) -> list[tuple[int, int, int]]:
    """Equal runs (place in a, place in b, length) on a shortest way from a to b; none if there is no short way."""
    most = min(len(a) + len(b), max_steps)
    # Diagonal -> how far along a it was followed; those below zero lie at the end of the list.
    reached = [0] * (2 * most + 3)
    trace: list[list[int]] = []
    for steps in range(most + 1):
        trace.append(reached[:])
        if budget.left <= 0:
            return []
        for diagonal in range(-steps, steps + 1, 2):
            begin = x = _myers_step_start_x(reached, diagonal, steps)
            while x < len(a) and x - diagonal < len(b) and a[x] == b[x - diagonal]:
                x += 1
            reached[diagonal] = x
            budget.left -= 1 + x - begin
            if x >= len(a) and x - diagonal >= len(b):
                return _backtrack_matching_blocks(trace, len(a), len(b))
    return []


def _myers_step_start_x(furthest_x: list[int], diagonal: int, steps: int) -> int:
    """Where this step begins: one down from the diagonal above, or one right from the diagonal below."""
    return (
        furthest_x[diagonal + 1] if _myers_step_goes_down(furthest_x, diagonal, steps) else furthest_x[diagonal - 1] + 1
    )


def _myers_step_goes_down(furthest_x: list[int], diagonal: int, steps: int) -> bool:
    return diagonal == -steps or (diagonal != steps and furthest_x[diagonal - 1] < furthest_x[diagonal + 1])


def _backtrack_matching_blocks(trace: list[list[int]], x: int, y: int) -> list[tuple[int, int, int]]:
    runs: list[tuple[int, int, int]] = []
    for steps in range(len(trace) - 1, -1, -1):
        diagonal = x - y
        start = _myers_step_start_x(trace[steps], diagonal, steps)
        if x > start:
            runs.append((start, start - diagonal, x - start))
        down = _myers_step_goes_down(trace[steps], diagonal, steps)
        x, y = (start, start - diagonal - 1) if down else (start - 1, start - diagonal)
    return runs[::-1]


def _diff_words_of_changed_lines(old: str, new: str, budget: StepBudget) -> list[Part]:
    if budget.left <= 0 or not (old and new):
        return [Part("removed", old), Part("added", new)]
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    parts: list[Part] = []
    for block in diff_blocks(before, after, DIFF_WORD_STEPS, budget):
        removed, added = "".join(before[block.a0 : block.a1]), "".join(after[block.b0 : block.b1])
        parts += [Part("same", removed)] if block.same else [Part("removed", removed), Part("added", added)]
    return parts


def _merge_blanks_between_changes(parts: list[Part]) -> list[Part]:
    """Between two changes a blank alone is no rest for the eye: it becomes part of both."""
    joined: list[Part] = []
    removed = added = ""
    for index, (change, text) in enumerate(parts):
        if change == "removed":
            removed += text
        elif change == "added":
            added += text
        elif (removed or added) and not text.strip() and "\n" not in text and index + 1 < len(parts):
            removed, added = removed + text, added + text
        else:
            joined += _replacement_parts(removed, added)
            removed = added = ""
            joined.append(Part("same", text))
    return _merge_adjacent_parts_of_same_change(joined + _replacement_parts(removed, added))


def _replacement_parts(removed: str, added: str) -> list[Part]:
    parts = [Part("removed", removed), Part("added", added)]
    return [part for part in parts if part.text]


def _merge_adjacent_parts_of_same_change(parts: list[Part]) -> list[Part]:
    merged: list[Part] = []
    for part in parts:
        if merged and merged[-1].change == part.change:
            merged[-1] = Part(part.change, merged[-1].text + part.text)
        elif part.text:
            merged.append(part)
    return merged
