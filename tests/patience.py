"""How long a test waits before it gives up: far longer than anything takes, far shorter than for ever.

`patience()` is for what must not grow with the square of its input: linear, it takes well under a second, else minutes.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE_S = 60  # far from both, so that a busy machine does not matter


@contextmanager
def patience() -> Iterator[None]:
    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"still at it after {PATIENCE_S} s")

    former = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)
