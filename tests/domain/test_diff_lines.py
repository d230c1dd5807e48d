"""The lines of a hunk: numbered, paired, folded, without what only moves blanks, and bounded in what they cost."""

from pendesk.domain.diff_lines import (
    DiffLine,
    LinePair,
    fold_runs,
    hide_blank_changes,
    mark_changed_words,
    number_lines,
    pair_lines,
)
from pendesk.domain.word_diff import StepBudget


def numbered(*lines: str) -> list[DiffLine]:
    return number_lines(10, 20, lines)


def marks(lines: list[DiffLine]) -> str:
    return "".join(line.mark for line in lines)


def test_lines_have_the_numbers_of_their_sides():
    lines = numbered(" a", "-b", "+c", "+d", " e")
    assert [(line.old, line.new) for line in lines] == [(10, 20), (11, None), (None, 21), (None, 22), (12, 23)]
    assert [line.text for line in lines] == ["a", "b", "c", "d", "e"]


def test_a_missing_end_of_line_belongs_to_the_line_before_it():
    lines = numbered("-a", "\\ No newline at end of file", "+a")
    assert [line.has_newline for line in lines] == [False, True]
    assert numbered("\\ No newline at end of file") == []


def test_lines_that_differ_in_blanks_only_become_context_as_they_read_now():
    shown = hide_blank_changes(numbered("-if x:", "-  y()", "+if  x:", "+    z()"), StepBudget())
    assert shown[0] == DiffLine(" ", 10, 20, "if  x:")
    assert marks(shown) == " -+"


def test_what_was_only_indented_is_found_among_what_was_added():
    lines = numbered(" def f():", "-a", "-b", "+if x:", "+  a", "+  b", " end")
    assert marks(hide_blank_changes(lines, StepBudget())) == " +   "


def test_lines_that_were_only_added_or_only_removed_stay():
    lines = numbered("-", " a", "+ ", " b", "-c", "+d")
    assert hide_blank_changes(lines, StepBudget()) == lines


def test_removed_and_added_lines_stand_side_by_side():
    pairs = pair_lines(numbered(" a", "-b", "-c", "+d", " e", "+f"))
    assert [(pair.old and pair.old.text, pair.new and pair.new.text) for pair in pairs] == [
        ("a", "a"),
        ("b", "d"),
        ("c", None),
        ("e", "e"),
        (None, "f"),
    ]
    assert pairs[0] == LinePair(pairs[0].old, pairs[0].old)


def test_the_words_that_changed_within_a_line_are_marked_on_both_sides():
    old, new = mark_changed_words(numbered("-return total(rows)", "+return total(kept, rows)"), StepBudget())
    assert old.changed == ()
    assert [new.text[start:end] for start, end in new.changed] == ["kept, "]


def test_lines_that_have_little_in_common_are_not_taken_apart():
    old, new = mark_changed_words(numbered("-import os", "+return total(kept, rows)"), StepBudget())
    assert (old.changed, new.changed) == ((), ())


def test_the_middle_of_a_long_run_is_folded():
    parts = fold_runs([*range(3), *"abcdefghijklm", 4], lambda row: isinstance(row, str), 8)
    assert parts == [(False, [0, 1, 2, "a", "b", "c"]), (True, list("defghij")), (False, ["k", "l", "m", 4])]
    assert fold_runs(list("abc"), lambda _: True, 8) == [(False, ["a", "b", "c"])]


def test_a_hostile_diff_costs_no_more_than_the_budget():
    lines = [f"-{number} x" for number in range(20_000)] + [f"+{number} y" for number in range(20_000)]
    budget = StepBudget(10_000)
    assert len(mark_changed_words(hide_blank_changes(numbered(*lines), budget), budget)) == 40_000
    assert budget.left > -10_000
