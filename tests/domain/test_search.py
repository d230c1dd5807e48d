"""What counts as a word."""

import unicodedata
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pendesk.domain.errors import BadField
from pendesk.domain.limits import (
    SEARCH_EXCERPT_CHARS,
    SEARCH_EXCERPT_FROM_CHARS,
    SEARCH_FOLDED_CHARS,
    SEARCH_INDEX_CHARS,
    SEARCH_WORD_CHARS,
    TEXT_CHARS,
)
from pendesk.domain.search import (
    FOLDED_AT_ONCE_CHARS,
    excerpt_around_first_term,
    fold_case_and_accents,
    query_words,
    split_and_flag_query_matches,
    split_into_search_words,
    to_search_index_text,
)
from tests.steps import count_steps


def test_words_are_letters_and_digits_in_lower_case_without_accents():
    assert split_into_search_words("Größe: snake_case, O'Reilly & Café!") == [
        "grosse",
        "snake",
        "case",
        "o",
        "reilly",
        "cafe",
    ]


def test_a_number_is_never_taken_for_a_word_that_looks_like_it():
    (number,) = split_into_search_words("4e3ca")
    assert number.endswith("4e3ca")
    assert number not in split_into_search_words("x4e3ca \u02e34e3ca ˣ")


@given(st.text())
def test_folding_twice_is_folding_once(text):
    assert fold_case_and_accents(fold_case_and_accents(text)) == fold_case_and_accents(text)


@given(st.text(st.characters() | st.sampled_from("a\u0300\u0316\u0f73\uff9e\ufdfa각Σß"), max_size=200))
@example("\u0300\u0316" * 100)
@example("\u0f73" * 100)
def test_a_text_may_be_cut_anywhere_before_it_is_folded(text):
    result = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    assert fold_case_and_accents(text) == result.casefold()


def test_no_text_makes_normalizing_compare_every_pair_of_its_accents():
    """Python puts accents in order by comparing neighbours, again and again: so they come in small pieces."""
    with patch.object(unicodedata, "normalize", wraps=unicodedata.normalize) as normalize:
        to_search_index_text("\u0300\u0316" * (TEXT_CHARS // 2))
    assert max(len(text) for (_form, text), _ in normalize.call_args_list) <= FOLDED_AT_ONCE_CHARS


def test_letters_that_become_many_are_folded_only_as_far_as_the_index_reads():
    assert len(fold_case_and_accents("\ufdfa" * TEXT_CHARS)) < SEARCH_FOLDED_CHARS + 18 * FOLDED_AT_ONCE_CHARS
    assert len(to_search_index_text("\ufdfa" * TEXT_CHARS)) > SEARCH_INDEX_CHARS * 0.9


@given(st.text())
def test_every_word_is_a_word_of_its_own(text):
    for word in split_into_search_words(text):
        assert word
        assert len(word) <= SEARCH_WORD_CHARS + 1
        assert not any(char.isspace() for char in word)


@given(st.text(), st.text())
def test_texts_that_differ_only_in_capitals_have_the_same_words(left, right):
    assert split_into_search_words(f"{left} {right}".upper().lower()) == split_into_search_words(
        f"{left} {right}".upper()
    )


def test_the_index_takes_whole_words_up_to_its_limit():
    result = to_search_index_text("word " * SEARCH_INDEX_CHARS)
    assert len(result) <= SEARCH_INDEX_CHARS
    assert set(result.split()) == {"word"}


@pytest.mark.parametrize("query", ["", "-", "_", "one two three four five six seven eight nine ten eleven"])
def test_a_query_has_some_words_but_not_too_many(query):
    with pytest.raises(BadField):
        query_words(query)


def test_an_excerpt_begins_shortly_before_the_word():
    result = excerpt_around_first_term("x " * 500 + "Nadel " + "y " * 500, ["nadel"])
    assert "Nadel" in result
    assert result.startswith("… ")
    assert result.endswith(" …")
    assert len(result) <= SEARCH_EXCERPT_CHARS + 4


@pytest.mark.parametrize("before", ["é ", "e\u0301 ", "\ufdfa ", "ß ", "각 "])
def test_an_excerpt_finds_its_word_behind_letters_that_are_folded(before):
    result = excerpt_around_first_term(before * 150 + "Nadél hier " + "y " * 500, ["nadel"])
    assert "Nadél hier" in result
    assert result.startswith("… ")


def test_an_excerpt_finds_words_whose_accents_are_written_apart():
    assert "nai\u0308ve" in excerpt_around_first_term("x " * 500 + "A nai\u0308ve guess", ["naive"])


def test_an_excerpt_begins_no_word_in_the_middle():
    assert excerpt_around_first_term("Haystack", ["stack"]) == "Haystack"
    assert excerpt_around_first_term("x " * 200 + "Haystack stack", ["stack"]).endswith("Haystack stack")


@pytest.mark.parametrize("unit", ["a ", "é ", "\ufdfa"])
def test_an_excerpt_takes_no_step_for_every_word(unit):
    body = unit * (SEARCH_EXCERPT_FROM_CHARS // len(unit))
    assert count_steps(lambda: excerpt_around_first_term(body, ["other"])) < SEARCH_EXCERPT_FROM_CHARS // 5


def test_an_excerpt_is_the_beginning_where_no_word_occurs():
    assert excerpt_around_first_term("Short  and\nsweet", ["other"]) == "Short and sweet"


def test_a_text_is_cut_at_the_words_that_were_looked_for():
    assert split_and_flag_query_matches("Why tides? The TIDE turns.", "tide why") == [
        ("Why", True),
        (" ", False),
        ("tides", True),
        ("? The ", False),
        ("TIDE", True),
        (" turns.", False),
    ]
    assert split_and_flag_query_matches("Nothing", "-") == [("Nothing", False)]


@given(st.text(), st.text())
def test_the_pieces_are_the_whole_text(text, query):
    assert "".join(piece for piece, _hit in split_and_flag_query_matches(text, query)) == text
