"""What a caller may have meant by a name that there is none of, for a refusal."""

from collections.abc import Iterable
from heapq import nlargest

from pendesk.domain.limits import NEAREST_NAMED

SIMILARITY = 0.45
NAME_CHARS_COMPARED = 64


def nearest_names(name: str, names: Iterable[str]) -> list[str]:
    """The most alike first, by the pairs of letters that two names share.

    In one pass over each: what a caller sends must not cost more than its length.
    """
    pairs = _letter_pairs(name)
    scores = [(_likeness(pairs, _letter_pairs(known)), known) for known in names]
    return [known for score, known in nlargest(NEAREST_NAMED, scores) if score >= SIMILARITY]


def _letter_pairs(name: str) -> set[str]:
    """With its two ends, so that a short name has some too."""
    text = f"^{name[:NAME_CHARS_COMPARED].lower()}$"
    return {text[index : index + 2] for index in range(len(text) - 1)}


def _likeness(first: set[str], second: set[str]) -> float:
    return 2 * len(first & second) / (len(first) + len(second))
