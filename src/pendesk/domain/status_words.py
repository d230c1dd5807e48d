"""Words for a status that callers bring from other trackers, and from the other half of these tools."""

from enum import StrEnum
from typing import Self

_SYNONYMS = {
    "canceled": "wont_do",
    "cancelled": "wont_do",
    "complete": "done",
    "completed": "done",
    "not_started": "todo",
    "started": "in_progress",
    "to_do": "todo",
}


def plain_status(word: str) -> str:
    """What a status is called once spelling is set aside: the stored word of an action's state, where it has one."""
    spelled = word.strip().lower().replace("-", "_").replace(" ", "_")
    return _SYNONYMS.get(spelled, spelled)


class StatusWord(StrEnum):
    """An enumeration that reads synonyms of its members. Schemas show the members alone, and answers say them."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        status = plain_status(value) if isinstance(value, str) else ""
        return next((member for member in cls if plain_status(member) == status), None)
