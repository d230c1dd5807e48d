"""What counts as a word, for the index and for a query alike.

Texts are cut into words here and not by the database: the two engines cut differently (paths, tags, numbers such as
1e5, accents, capitals under some locales), and the same query must find the same on both.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import filterfalse

from pendesk.domain.errors import BadField
from pendesk.domain.limits import (
    SEARCH_EXCERPT_AROUND_CHARS,
    SEARCH_EXCERPT_CHARS,
    SEARCH_EXCERPT_FROM_CHARS,
    SEARCH_FOLDED_CHARS,
    SEARCH_INDEX_CHARS,
    SEARCH_WORD_CHARS,
    SEARCH_WORDS,
)
from pendesk.domain.plain_text import without_markdown

_WORD = re.compile(r"[^\W_]+")
_WORD_BEGINS = r"(?<![^\W_])"
# Normalizing puts the accents of a letter in order, in a time that grows with the square of their number. They are
# taken out afterwards, so a text may be cut anywhere before.
FOLDED_AT_ONCE_CHARS = 64
# PostgreSQL reads 4e3ca as the number 4e3 and a rest, so no word may begin with a digit. Folding leaves no word with
# this letter, so none is taken for another.
_DIGITS_FOLLOW = "\u02e3"


def fold_case_and_accents(text: str, max_chars: int = SEARCH_FOLDED_CHARS) -> str:
    """Lower case, without accents."""
    return "".join(_fold_case_and_accents_in_pieces(text, max_chars))


def _fold_case_and_accents_in_pieces(text: str, max_chars: int) -> Iterator[str]:
    """Piece by piece, until there are `max_chars`."""
    for start in range(0, len(text), FOLDED_AT_ONCE_CHARS):
        if max_chars <= 0:
            return
        piece = _lowercase_without_accents(text[start : start + FOLDED_AT_ONCE_CHARS])
        max_chars -= len(piece)
        yield piece


def _lowercase_without_accents(text: str) -> str:
    if text.isascii():
        return text.lower()
    return "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", text))).casefold()


def split_into_search_words(text: str) -> list[str]:
    matches = [word[:SEARCH_WORD_CHARS] for word in _WORD.findall(fold_case_and_accents(text))]
    return [_DIGITS_FOLLOW + word if word[0].isnumeric() else word for word in matches]


def to_search_index_text(text: str) -> str:
    """The words of a text as the index holds them, as many as it takes."""
    joined = " ".join(split_into_search_words(text))
    return joined if len(joined) <= SEARCH_INDEX_CHARS else joined[:SEARCH_INDEX_CHARS].rpartition(" ")[0]


def query_words(query: str, field: str = "query") -> list[str]:
    terms = split_into_search_words(query)
    if not terms:
        raise BadField(field, "has no word to search for; give letters or digits.")
    if len(terms) > SEARCH_WORDS:
        raise BadField(field, f"has {len(terms)} words, and {SEARCH_WORDS} is the limit; name the rarest ones.")
    return terms


def excerpt_around_first_term(body: str, terms: list[str]) -> str:
    """The passage around the first of the words, without Markdown; the beginning where only the title has them."""
    start = max(0, _index_of_first_term(body, terms) - SEARCH_EXCERPT_AROUND_CHARS // 2)
    end = start + SEARCH_EXCERPT_AROUND_CHARS
    return _cut_excerpt(without_markdown(body[start:end]), terms, begins=start == 0, ends=end >= len(body))


def _index_of_first_term(body: str, terms: list[str]) -> int:
    folded = list(_fold_case_and_accents_in_pieces(body, SEARCH_EXCERPT_FROM_CHARS))
    beginnings = "|".join(re.escape(word.removeprefix(_DIGITS_FOLLOW)) for word in terms)
    match = re.search(f"{_WORD_BEGINS}(?:{beginnings})", "".join(folded))
    return _original_index(body, folded, match.start()) if match else 0


def _original_index(body: str, folded_pieces: list[str], folded_index: int) -> int:
    """Where the character stands in the text that became the one at `folded_index` of its folded pieces."""
    place = 0
    for piece in folded_pieces:
        if folded_index < len(piece):
            break
        folded_index, place = folded_index - len(piece), place + FOLDED_AT_ONCE_CHARS
    for char in body[place : place + FOLDED_AT_ONCE_CHARS]:
        size = len(_lowercase_without_accents(char))
        if folded_index < size:
            break
        folded_index, place = folded_index - size, place + 1
    return place


def split_and_flag_query_matches(text: str, query: str) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is one of the words that were looked for."""
    terms, split, end = tuple(split_into_search_words(query)), [], 0
    for match in _WORD.finditer(text) if terms else ():
        if any(word.startswith(terms) for word in split_into_search_words(match[0])):
            split += [(text[end : match.start()], False), (match[0], True)]
            end = match.end()
    return [(piece, hit) for piece, hit in [*split, (text[end:], False)] if piece]


def _cut_excerpt(passage: str, terms: list[str], *, begins: bool, ends: bool) -> str:
    start = max(0, _index_of_first_term(passage, terms) - SEARCH_EXCERPT_CHARS // 4)
    end = start + SEARCH_EXCERPT_CHARS
    before = "" if begins and not start else "… "
    after = "" if ends and end >= len(passage) else " …"
    return f"{before}{_whole_words(passage, start, end)}{after}"


def _whole_words(passage: str, start: int, end: int) -> str:
    """Without the half of a word at either end, where it is not the whole of what is there."""
    text = passage[start:end]
    if start and not passage[start - 1].isspace():
        text = text.partition(" ")[2] or text
    if end < len(passage) and not passage[end].isspace():
        text = text.rpartition(" ")[0] or text
    return text.strip()
