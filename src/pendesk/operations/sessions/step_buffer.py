"""Steps that hooks have reported to this process and that are not saved yet."""

from collections import deque

from pendesk.domain.session_activity import Step


class StepBuffer:
    def __init__(self, *, has_peers: bool) -> None:
        self._steps: deque[Step] = deque(maxlen=1_000)

    def add(self, step: Step) -> None:
        self._steps.append(step)
