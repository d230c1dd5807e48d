"""Hidden characters of an answer to an agent, written out: it reads nothing that a person would not see."""

import re

from pendesk.domain.hidden_characters import has_hidden, mark_hidden

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def mark_hidden_in_json(raw: bytes) -> bytes:
    """Each text by itself: whether a mark of direction is needed depends on the words around it."""
    if raw.isascii() or not has_hidden(text := raw.decode()):
        return raw
    return _STRING.sub(lambda match: mark_hidden(match[0]), text).encode()
