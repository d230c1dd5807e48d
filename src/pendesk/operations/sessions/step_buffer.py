"""Steps that hooks have reported to this process and that are not saved yet: a hook must not wait for the database.

What a process that is killed has not saved is lost: a fraction of a second of activity, and no work.
"""

from collections import defaultdict, deque
from collections.abc import Iterable

from pendesk.domain.limits import (
    BUFFERED_STEPS,
    BUFFERED_STEPS_PER_SESSION,
    STEP_ENDS_REPEATED_AFTER_US,
    STEPS_PER_SAVE,
)
from pendesk.domain.session_activity import Step
from pendesk.domain.session_steps import ends_open_steps
from pendesk.operations.sessions.save_steps import StepBatch


class StepBuffer:
    def __init__(
        self,
        *,
        has_peers: bool,
        limit: int = BUFFERED_STEPS,
        limit_per_session: int = BUFFERED_STEPS_PER_SESSION,
    ) -> None:
        """`has_peers`: other processes may save steps of the same session."""
        self.dropped = 0
        self._has_peers = has_peers
        self._limit = limit
        self._limit_per_session = limit_per_session
        self._count = 0
        self._by_session: dict[tuple[str, str], deque[Step]] = {}
        self._recent_ends: deque[Step] = deque(maxlen=limit)

    def __len__(self) -> int:
        return self._count

    def add(self, step: Step) -> None:
        """Of a session that reports more than there is room for, the oldest is dropped."""
        key = step.workspace_id, step.session_id
        queue = self._by_session.get(key)
        if queue is None:
            queue = self._by_session[key] = deque()
        queue.append(step)
        if len(queue) > self._limit_per_session or self._count >= self._limit:
            queue.popleft()
            self.dropped += 1
        else:
            self._count += 1

    def drain(self, now: int) -> list[StepBatch]:
        """All of it, by workspace. What ended a moment ago comes once more, for steps that others have saved since."""
        steps_of: dict[str, list[Step]] = defaultdict(list)
        for (workspace_id, _session_id), queue in self._by_session.items():
            steps_of[workspace_id] += queue
        self._by_session, self._count = {}, 0
        ends_of = self._pop_ends_to_repeat(now)
        batches: list[StepBatch] = []
        for workspace_id in steps_of.keys() | ends_of.keys():
            steps = sorted(steps_of[workspace_id], key=lambda step: step.at)
            batches += _batches(workspace_id, steps, ends_of[workspace_id])
            if self._has_peers:
                self._recent_ends += filter(ends_open_steps, steps)
        return batches

    def put_back(self, batch: StepBatch) -> None:
        """It could not be saved."""
        newer = [step for queue in self._by_session.values() for step in queue]
        self._by_session, self._count = {}, 0
        for step in [*batch.steps, *newer]:
            self.add(step)

    def _pop_ends_to_repeat(self, now: int) -> dict[str, list[Step]]:
        ends_of: dict[str, list[Step]] = defaultdict(list)
        while self._recent_ends and self._recent_ends[0].at <= now - STEP_ENDS_REPEATED_AFTER_US:
            step = self._recent_ends.popleft()
            ends_of[step.workspace_id].append(step)
        return ends_of


def _batches(workspace_id: str, steps: list[Step], ends: list[Step]) -> Iterable[StepBatch]:
    for start in range(0, max(len(steps), 1), STEPS_PER_SAVE):
        yield StepBatch(workspace_id, steps[start : start + STEPS_PER_SAVE], ends)
