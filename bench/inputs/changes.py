"""Texts that are compared: revisions, builds, briefs."""

from functools import partial
from itertools import count, cycle, islice

from bench.inputs.case import case, repeated
from pendesk.domain.build import diff_briefs_by_field
from pendesk.domain.comment import Comment, TextEdit
from pendesk.domain.comparison import compare_fields
from pendesk.domain.limits import LINE_CHARS, LIST_ITEMS, PLAN_ACTIONS, TEXT_CHARS, THREAD_COMMENTS
from pendesk.domain.word_diff import StepBudget, word_diff

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def every_word_changed(letters: str, size: int) -> str:
    """Lines of 500 short words, between lines that stay: each pair is compared by its words."""
    words = " ".join(islice(cycle(letters), 250))
    lines = (f"{words}\nsame {number}\n" for number in count())
    return "".join(islice(lines, size // 510 + 1))[:size]


def blank_lines(first: str, last: str, missing: int, size: int) -> str:
    """The same line over and over, so that every way through the two texts looks as good as any other."""
    return f"{first}\n" + "\n" * (size - missing) + f"{last}\n"


def few_kinds_of_lines(step: int, size: int) -> str:
    """A hundred and one kinds, so that none of them counts as too common to look at."""
    return "".join(f"{number * step % 101:02x}\n" for number in range(size // 3))


def comments(size: int) -> list[Comment]:
    passage = "ab" * 900 + "c"
    return [
        Comment(str(number), "", "", "", passage, number * 100 % size, 0, "", 0, None, None)
        for number in range(THREAD_COMMENTS)
    ]


def move_comments(old: str, new: str, placed: list[Comment]) -> list[Comment]:
    change = TextEdit(old, new)
    return [change.reanchor(comment) for comment in placed]


def fields(letters: str, size: int) -> dict[str, object]:
    text = every_word_changed(letters, size)
    return {"summary": text, "approach": text, "results": [text[:LINE_CHARS]] * LIST_ITEMS}


def lists(letters: str, size: int) -> list[str]:
    return [f"{' '.join(islice(cycle(letters), LINE_CHARS // 2 - 10))} {number}" for number in range(size)]


def compare_actions(old: list[dict[str, object]], new: list[dict[str, object]]) -> list[object]:
    effort = StepBudget()
    return [compare_fields(before, after, effort) for before, after in zip(old, new, strict=True)]


def actions(letters: str, size: int) -> list[dict[str, object]]:
    return [{"description": every_word_changed(letters, 8_000), "criteria": lists(letters, 3)}] * size


FIRST_HALF, SECOND_HALF = LETTERS[:13], LETTERS[13:]
CASES = [
    case("word_diff", "two texts whose lines differ in every word", TEXT_CHARS, word_diff,
         partial(every_word_changed, FIRST_HALF), partial(every_word_changed, SECOND_HALF)),
    case("word_diff", "blank lines, 400 fewer of them", TEXT_CHARS, word_diff,
         partial(blank_lines, "a", "b", 0), partial(blank_lines, "c", "d", 400)),
    case("word_diff", "one line of punctuation, 400 marks fewer", TEXT_CHARS, word_diff,
         repeated(".", "a", "b"), lambda size: repeated(".", "c", "d")(size - 400)),
    case("word_diff", "letters and blanks in turn", TEXT_CHARS, word_diff, repeated("a b "), repeated("b a ")),
    case("compare", "a spec with every word changed", TEXT_CHARS, compare_fields,
         partial(fields, FIRST_HALF), partial(fields, SECOND_HALF)),
    case("compare", "200 actions with every word changed", PLAN_ACTIONS, compare_actions,
         partial(actions, FIRST_HALF), partial(actions, SECOND_HALF)),
    case("brief changes", "33,000 lines of 101 kinds, in another order", TEXT_CHARS,
         lambda old, new: diff_briefs_by_field({"description": old}, {"description": new}),
         partial(few_kinds_of_lines, 1), partial(few_kinds_of_lines, 2)),
    case("comments", "200 passages that nearly stand everywhere", TEXT_CHARS, move_comments,
         repeated("ab"), repeated("ab", "x"), comments),
]  # fmt: skip
