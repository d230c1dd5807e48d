"""An end to work that takes too much processor time, whatever it is doing: Python's own loops, or a regular expression.

By a timer of the process, so a machine that is busy with other things takes nothing from the work. Only the main
thread of a process can be stopped this way, and not on Windows; there it is not stopped.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

AGAIN_S = 0.05  # for code that swallows the first


class TooCostly(BaseException):
    """The time is used up. No `except Exception` on the way may take it for an error of its own."""


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGVTALRM, _raise_too_costly)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _raise_too_costly(*_: Any) -> None:
    raise TooCostly
