"""Priority: a number on the wire (0 to 1000, higher is more urgent), one of five levels for people."""

from typing import Literal

Level = Literal["urgent", "high", "medium", "low", "none"]

# The lowest number of each level, the most urgent level first.
LEVELS: dict[Level, int] = {"urgent": 300, "high": 200, "medium": 100, "low": 1, "none": 0}
# What is stored when a person chooses a level.
NUMBERS: dict[Level, int] = {"urgent": 300, "high": 200, "medium": 100, "low": 50, "none": 0}


def priority_number(level_or_number: Level | int) -> int:
    return level_or_number if isinstance(level_or_number, int) else NUMBERS[level_or_number]


def priority_level(number: int) -> Level:
    return next((level for level, lowest in LEVELS.items() if number >= lowest), "none")
