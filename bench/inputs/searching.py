"""Texts that are indexed, searched and shown with what was found in them."""

from functools import partial

from bench.inputs.case import case, repeated
from pendesk.domain.limits import LABEL_CHARS, QUERY_CHARS, SEARCH_EXCERPT_FROM_CHARS, SEARCH_ROWS, TEXT_CHARS
from pendesk.domain.search import (
    excerpt_around_first_term,
    query_words,
    split_and_flag_query_matches,
    to_search_index_text,
)


def excerpts(body: str) -> list[str]:
    """As for a page of results whose titles alone have the words."""
    return [excerpt_around_first_term(body, ["wanted"]) for _ in range(SEARCH_ROWS)]


CASES = [
    case("search index", "accents above and below in turn", TEXT_CHARS, to_search_index_text, repeated("\u0300\u0316")),
    case("search index", "vowel signs that become accents", TEXT_CHARS, to_search_index_text, repeated("\u0f73")),
    case("search index", "a ligature of 18 letters", TEXT_CHARS, to_search_index_text, repeated("\ufdfa")),
    case("search index", "one letter a word", TEXT_CHARS, to_search_index_text, repeated("a ")),
    case("search excerpt", "20 texts of short words without the one", SEARCH_EXCERPT_FROM_CHARS, excerpts,
         repeated("a ")),
    case("search excerpt", "20 texts of short words with accents", SEARCH_EXCERPT_FROM_CHARS, excerpts,
         repeated("\u00e9 ")),
    case("search excerpt", "20 texts of one ligature", SEARCH_EXCERPT_FROM_CHARS, excerpts, repeated("\ufdfa")),
    case("search pieces", "a title of short words", LABEL_CHARS, partial(split_and_flag_query_matches, query="a " * 10),
         repeated("a ")),
    case("search query", "accents", QUERY_CHARS, query_words, repeated("\u0300\u0316", "a")),
]  # fmt: skip
