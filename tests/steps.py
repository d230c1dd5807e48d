"""Work, counted: how many lines of Python run. Unlike a time it is the same on every machine and at every hour."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


class TooManySteps(AssertionError):
    pass


def count_steps(work: Callable[[], object], most: int = 50_000_000) -> int:
    """The lines that `work` runs. Beyond `most` it is ended: what grows without bound need not be waited for."""
    steps = 0

    def line(_frame: FrameType, event: str, _told: Any) -> Any:
        nonlocal steps
        if event == "line":
            steps += 1
            if steps > most:
                raise TooManySteps(f"more than {most:,} lines were run")
        return line

    former = sys.gettrace()
    sys.settrace(line)
    try:
        work()
    finally:
        sys.settrace(former)
    return steps
