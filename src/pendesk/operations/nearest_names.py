"""What a caller may have meant by a name that there is none of, for a refusal."""

from collections.abc import Iterable
from difflib import get_close_matches

from pendesk.domain.limits import NEAREST_NAMED

SIMILARITY = 0.5
NAME_CHARS_COMPARED = 64


def nearest_names(name: str, names: Iterable[str]) -> list[str]:
    return get_close_matches(name[:NAME_CHARS_COMPARED], list(names), NEAREST_NAMED, SIMILARITY)
