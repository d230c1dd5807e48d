"""Texts that are indexed, searched and shown with what was found in them."""

from functools import partial

from bench.inputs.case import case, repeated
from pendesk.domain.limits import LABEL_CHARS, QUERY_CHARS, SEARCH_EXCERPT_FROM_CHARS, SEARCH_ROWS, TEXT_CHARS
from pendesk.domain.search import excerpt, query_words, split_by_query_match, words_to_index


def excerpts(body: str) -> list[str]:
    """As for a page of results whose titles alone have the words."""
    return [excerpt(body, ["wanted"]) for _ in range(SEARCH_ROWS)]


CASES = [
    case("search index", "accents above and below in turn", TEXT_CHARS, words_to_index, repeated("\u0300\u0316")),
    case("search index", "vowel signs that fall apart into accents", TEXT_CHARS, words_to_index, repeated("\u0f73")),
    case("search index", "a ligature of 18 letters", TEXT_CHARS, words_to_index, repeated("\ufdfa")),
    case("search index", "one letter a word", TEXT_CHARS, words_to_index, repeated("a ")),
    case("search excerpt", "20 texts of short words without the one", SEARCH_EXCERPT_FROM_CHARS, excerpts,
         repeated("a ")),
    case("search excerpt", "20 texts of short words with accents", SEARCH_EXCERPT_FROM_CHARS, excerpts,
         repeated("\u00e9 ")),
    case("search excerpt", "20 texts of one ligature", SEARCH_EXCERPT_FROM_CHARS, excerpts, repeated("\ufdfa")),
    case("search pieces", "a title of short words", LABEL_CHARS, partial(split_by_query_match, query="a " * 10),
         repeated("a ")),
    case("search query", "accents", QUERY_CHARS, query_words, repeated("\u0300\u0316", "a")),
]  # fmt: skip
