"""What can happen to a criterion, step by step, and how it stands afterwards: told as a story, not as the rule is.

The rule looks at the newest of each kind; this walks through everything in order. Both must say the same.
"""

import random
from typing import NamedTuple

from pendesk.domain.criterion import LEVEL_RANK, EvidenceLevel
from pendesk.domain.evidence import STATE_OF_LEVEL, EvidenceState

STEPS = ("passed", "report passed", "failed", "text", "ci", "confirmed", "rejected", "reworded")
LEVEL_OF_STEP = {
    "passed": EvidenceLevel.CLAIMED,
    "report passed": EvidenceLevel.ARTIFACT,
    "text": EvidenceLevel.CLAIMED,
    "ci": EvidenceLevel.CI,
    "confirmed": EvidenceLevel.HUMAN,
}


class Step(NamedTuple):
    """`wait` is the time since the step before; without any, only the order of the ids tells them apart."""

    name: str
    wait: int


def random_steps(seed: int) -> list[Step]:
    chance = random.Random(seed)
    return [Step(chance.choice(STEPS), chance.choice((0, 1, 1))) for _ in range(chance.randint(0, 7))]


def state_after(steps: list[Step]) -> EvidenceState:
    was_failing = was_rejected = False
    counting: list[EvidenceLevel] = []
    has_evidence = False
    for step in steps:
        if step.name in ("passed", "report passed", "confirmed"):
            was_failing = was_rejected = False
        was_failing = was_failing or step.name == "failed"
        was_rejected = was_rejected or step.name == "rejected"
        if step.name in ("failed", "rejected", "reworded"):
            counting = []
        if step.name in LEVEL_OF_STEP:
            counting.append(LEVEL_OF_STEP[step.name])
            has_evidence = True
    if was_failing or was_rejected:
        return EvidenceState.FAILING if was_failing else EvidenceState.REJECTED
    if counting:
        return STATE_OF_LEVEL[max(counting, key=LEVEL_RANK.__getitem__)]
    return EvidenceState.STALE if has_evidence else EvidenceState.NONE
