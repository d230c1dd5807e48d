"""What changed, word by word."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.limits import DIFF_EFFORT_STEPS, DIFF_WORD_STEPS, TEXT_CHARS
from pendesk.domain.word_diff import Part, StepBudget, word_diff
from tests.steps import count_steps

words = st.lists(st.sampled_from(["a", "b", "the", " ", "\n", ",", "word", "É", "\r\n", "\x85"])).map("".join)


@given(words, words)
def test_both_texts_can_be_read_out_of_it(old, new):
    parts = word_diff(old, new)
    assert "".join(part.text for part in parts if part.change != "added") == old
    assert "".join(part.text for part in parts if part.change != "removed") == new


@given(words, words)
def test_neighbours_differ_in_kind_and_none_is_empty(old, new):
    parts = word_diff(old, new)
    assert all(part.text for part in parts)
    assert all(item.change != two.change for item, two in pairwise(parts))


@given(words)
def test_a_text_is_the_same_as_itself(text):
    assert word_diff(text, text) == ([Part("same", text)] if text else [])


def test_one_changed_word_is_told_alone():
    assert word_diff("People sign in with a password.", "People sign in with a passkey.") == [
        Part("same", "People sign in with a "),
        Part("removed", "password"),
        Part("added", "passkey"),
        Part("same", "."),
    ]


def test_changed_words_side_by_side_are_one_change():
    assert word_diff("one two three four", "one zwei drei four") == [
        Part("same", "one "),
        Part("removed", "two three"),
        Part("added", "zwei drei"),
        Part("same", " four"),
    ]


def test_a_line_that_was_put_in_leaves_the_others_alone():
    assert word_diff("first\nlast\n", "first\nmiddle\nlast\n") == [
        Part("same", "first\n"),
        Part("added", "middle\n"),
        Part("same", "last\n"),
    ]


def test_a_text_that_was_written_anew_is_told_as_a_whole():
    old = " ".join(f"old{number}" for number in range(DIFF_WORD_STEPS))
    new = " ".join(f"new{number}" for number in range(DIFF_WORD_STEPS))
    assert word_diff(old, new) == [Part("removed", old), Part("added", new)]


def test_a_hostile_pair_is_told_all_the_same():
    old, new = "a b " * 25_000, "b a " * 25_000
    parts = word_diff(old, new)
    assert "".join(part.text for part in parts if part.change != "added") == old


def rewritten(words: str) -> str:
    """Lines with nothing in common, between lines that stay."""
    return "".join(f"{words * 120}\nsame {number}\n" for number in range(TEXT_CHARS // 500))


def test_many_passages_that_were_rewritten_share_one_effort():
    old, new = rewritten("a b "), rewritten("c d ")
    assert len(old) < TEXT_CHARS
    assert count_steps(lambda: word_diff(old, new)) < 10 * DIFF_EFFORT_STEPS
    parts = word_diff(old, new)
    assert "".join(part.text for part in parts if part.change != "added") == old
    assert "".join(part.text for part in parts if part.change != "removed") == new


def test_where_the_effort_is_spent_the_rest_is_told_as_written_anew():
    assert word_diff("one two\n", "one three\n", StepBudget(0)) == [
        Part("removed", "one two\n"),
        Part("added", "one three\n"),
    ]


def test_texts_longer_than_anyone_can_write_are_told_as_they_are():
    old, new = "a\n" * 200_000, "b\n" * 200_000
    assert word_diff(old, new) == [Part("removed", old), Part("added", new)]
