"""Passages of comments: they stay with their words when the text around them moves, or are lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.comment import Comment, PassageFinder, TextEdit, check_comment_is_unresolved, find_passage
from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import TEXT_CHARS
from tests.patience import patience
from tests.refusals import refused

# A small alphabet, so that passages stand in a text more than once.
TEXTS = st.text(alphabet="ab \n", max_size=40)
PASSAGES = st.text(alphabet="ab \n", min_size=1, max_size=6).filter(str.strip)


def comment(passage, start, lost=0):
    return Comment("c", "p", "d", "Why?", passage, start, lost, "u", 0, None, None)


def stands(comment):
    """Where it begins and what it quotes."""
    assert comment.passage is not None
    assert comment.passage_start is not None
    return comment.passage_start, comment.passage


def words(text):
    return " ".join(text.split())


@given(TEXTS, PASSAGES, TEXTS, TEXTS, TEXTS)
def test_an_edit_elsewhere_leaves_it_on_the_very_same_words(before, passage, after, new_before, new_after):
    old = before + passage + after
    for new, start in (
        (new_before + passage + after, len(new_before)),
        (before + passage + new_after, len(before)),
    ):
        moved = TextEdit(old, new).reanchor(comment(passage, len(before)))
        assert (moved.passage, moved.passage_lost) == (passage, 0)
        assert new[stands(moved)[0] :].startswith(passage)
        # Only where the words stand more than once beside the edit may it be on others that read the same.
        if new.count(passage[0]) == passage.count(passage[0]):
            assert moved.passage_start == start


@given(TEXTS, TEXTS, PASSAGES, st.integers(0, 50))
def test_whatever_the_edit_it_quotes_the_text_or_is_lost(old, new, passage, start):
    moved = TextEdit(old, new).reanchor(comment(passage, start))
    if moved.passage_lost:
        assert words(passage) not in words(new)
        assert moved.passage == passage
    else:
        begin, quoted_words = stands(moved)
        assert new[begin : begin + len(quoted_words)] == quoted_words
        assert words(quoted_words) == words(passage)


@given(TEXTS, PASSAGES, st.integers(0, 50))
def test_the_nearest_of_several_is_taken(text, passage, near):
    places = [start for start in range(len(text)) if text.startswith(passage, start)]
    result = PassageFinder(text).find_nearest(passage, near)
    if places:
        assert result is not None
        assert abs(result.start - near) == min(abs(start - near) for start in places)
        assert result.end - result.start == len(passage)


@given(TEXTS, TEXTS, PASSAGES, st.integers(0, 40))
def test_an_edit_that_is_undone_is_undone_for_the_comment_too(before, new, passage, extra):
    old = before + passage + "b" * extra
    result = TextEdit(old, new).reanchor(comment(passage, len(before)))
    back = TextEdit(new, old).reanchor(result)
    assert back.passage_lost == 0


def test_two_equal_passages_keep_their_comments_apart():
    old = "same\n\nother\n\nsame\n"
    first, second = comment("same", 0), comment("same", old.rindex("same"))
    change = TextEdit(old, "A new beginning, as long as the text itself.\n\n" + old)
    shift = len(change.new.text) - len(old)
    assert change.reanchor(first).passage_start == shift
    assert change.reanchor(second).passage_start == shift + old.rindex("same")


def test_other_line_breaks_are_the_same_passage():
    moved = TextEdit("a very long line", "a very\n  long\tline").reanchor(comment("very long line", 2))
    assert (moved.passage, moved.passage_start, moved.passage_lost) == ("very\n  long\tline", 2, 0)


def test_what_was_rewritten_is_lost_and_found_again():
    old, new = "Keep this sentence.", "Keep that sentence."
    lost = TextEdit(old, new).reanchor(comment("this sentence", 5))
    assert (lost.passage, lost.passage_lost) == ("this sentence", 1)
    result = TextEdit(new, "First. " + old).reanchor(lost)
    assert (result.passage_start, result.passage_lost) == (12, 0)


def test_a_comment_on_the_whole_document_does_not_move():
    result = comment(None, None)
    assert TextEdit("a", "b").reanchor(result) is result


def test_a_passage_that_is_not_there_is_refused():
    assert find_passage("one two\nthree", "two three") == (4, 13)
    for text in ("", "one", "two  four"):
        with refused(RuleBroken, "passage_not_found"):
            find_passage(text, "two three")


def test_a_comment_is_resolved_once():
    check_comment_is_unresolved(comment(None, None), "")
    with refused(RuleBroken, "already_resolved") as caught:
        check_comment_is_unresolved(comment(None, None)._replace(resolved_at=1, resolved_by="u"), "Ada")
    assert caught.refusal.message.startswith("Ada has")


@pytest.mark.parametrize("unit", ["a", "a ", "ab ", " \n"])
def test_texts_that_repeat_themselves_take_no_longer(unit):
    text = (unit * TEXT_CHARS)[:TEXT_CHARS]
    change = TextEdit(text, text[::-1])
    with patience():
        for start in range(0, TEXT_CHARS, TEXT_CHARS // 50):
            for passage in ((unit * 1000)[:1998] + "b", "b" + (unit * 1000)[:1998], "ab" + (unit * 1000)[:1998]):
                change.reanchor(comment(passage, start))
