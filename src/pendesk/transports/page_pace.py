"""How long a page may wait between two looks at what has changed: a second, and longer while the server is busy."""

import time
from collections.abc import Callable

SHORTEST_S, LONGEST_S = 1.0, 15.0
LOOK_EVERY_S = 1.0
# Of one processor: what agents call comes first, and pages take what it leaves.
BUSY_SHARE = 0.7
STEADIEST = 0.5  # at most half of it, and at most twice as long, at a time


class PagePace:
    def __init__(
        self, processor_s: Callable[[], float] = time.process_time, wall_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._processor_s, self._wall_s = processor_s, wall_s
        self._looked_at, self._used = wall_s(), processor_s()
        self._pause_s = SHORTEST_S

    def pause_s(self) -> float:
        """All pages together then keep the processor as busy as it may be, and no busier."""
        passed = self._wall_s() - self._looked_at
        if passed >= LOOK_EVERY_S:
            used = self._processor_s()
            change = (used - self._used) / passed / BUSY_SHARE
            self._looked_at, self._used = self._looked_at + passed, used
            longer = self._pause_s * min(max(change, STEADIEST), 1 / STEADIEST)
            self._pause_s = min(max(longer, SHORTEST_S), LONGEST_S)
        return self._pause_s


PACE = PagePace()  # of this process, as the processor time that it measures
