"""What counts as a word, for the index and for a query alike.

Texts are cut into words here and not by the database: the two engines cut differently (paths, tags, numbers such as
1e5, accents, capitals under some locales), and the same query must find the same on both.
"""

import re
import unicodedata

from pendesk.domain.errors import BadField
from pendesk.domain.limits import SEARCH_EXCERPT_CHARS, SEARCH_INDEX_CHARS, SEARCH_WORD_CHARS, SEARCH_WORDS

_WORD = re.compile(r"[^\W_]+")
# PostgreSQL reads 4e3ca as the number 4e3 and a rest, so no word may begin with a digit. Folding leaves no word with
# this letter, so none is taken for another.
_DIGITS_FOLLOW = "\u02e3"


def fold(text: str) -> str:
    """Lower case, without accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text)
    return "".join(char for char in apart if not unicodedata.combining(char)).casefold()


def words(text: str) -> list[str]:
    found = [word[:SEARCH_WORD_CHARS] for word in _WORD.findall(fold(text))]
    return [_DIGITS_FOLLOW + word if word[0].isnumeric() else word for word in found]


def indexed(text: str) -> str:
    """The words of a text as the index holds them, as many as it takes."""
    joined = " ".join(words(text))
    return joined if len(joined) <= SEARCH_INDEX_CHARS else joined[:SEARCH_INDEX_CHARS].rpartition(" ")[0]


def query_words(query: str) -> list[str]:
    found = words(query)
    if not found:
        raise BadField("query", "has no word to look for; give letters or digits.")
    if len(found) > SEARCH_WORDS:
        raise BadField("query", f"has {len(found)} words, and {SEARCH_WORDS} is the limit; name the rarest ones.")
    return found


def excerpt(body: str, wanted: list[str]) -> str:
    """The passage around the first word that was looked for; the beginning where only the title has them."""
    for match in _WORD.finditer(body):
        if any(word.startswith(tuple(wanted)) for word in words(match[0])):
            start = max(0, match.start() - SEARCH_EXCERPT_CHARS // 4)
            return _passage(body, start)
    return _passage(body, 0)


def pieces(text: str, query: str) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is one of the words that were looked for."""
    wanted, found, end = tuple(words(query)), [], 0
    for match in _WORD.finditer(text) if wanted else ():
        if any(word.startswith(wanted) for word in words(match[0])):
            found += [(text[end : match.start()], False), (match[0], True)]
            end = match.end()
    return [(piece, hit) for piece, hit in [*found, (text[end:], False)] if piece]


def _passage(body: str, start: int) -> str:
    end = start + SEARCH_EXCERPT_CHARS
    told = " ".join(body[start:end].split())
    return f"{'… ' if start else ''}{told}{' …' if end < len(body) else ''}"
