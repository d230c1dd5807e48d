"""Whether a caller can have an action, and why not: one rule, which every list, brief, card, row and refusal shows.

The states come in the order in which claiming checks them, so that what is called free can be claimed by a caller with
a slot. Slots are the caller's, not the action's, and are shown beside it.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from pendesk.domain.action import ActionState
from pendesk.domain.agent_session import Relation
from pendesk.domain.limits import START_WITH_REFS


class Availability(StrEnum):
    MINE = "mine"
    CHANGES_REQUESTED = "changes_requested"
    FREE = "free"
    BLOCKED = "blocked"
    HELD = "held"
    IN_REVIEW = "in_review"
    DONE = "done"
    WONT_DO = "wont_do"
    NOT_READY = "not_ready"


class NotReadyReason(StrEnum):
    BACKLOG = "backlog"
    SCOPE = "scope"
    UNPUBLISHED = "unpublished"
    PROJECT_NOT_ACTIVE = "project_not_active"
    NOT_A_PARTICIPANT = "not_a_participant"


class AvailabilityFacts(NamedTuple):
    """What decides. `waits`: for what comes before it, or, where the project refuses overlaps, for who works on its
    files (domain/overlap.py). `relation` is that of the caller to the newest claim, `held` whether that has not ended,
    and `live` whether its lease runs.
    """

    state: ActionState
    project_active: bool
    published: bool
    participant: bool
    waits: bool
    relation: Relation | None
    held: bool
    live: bool


class Wait(NamedTuple):
    """What holds an action back: a prerequisite, or with `shares_files` work on the same files. Without a ref it is one
    that the caller may not see.

    Of one that is blocked itself, `start_with` is what it waits for in the end and the caller can get on with: what is
    free, then their own.
    """

    ref: str | None
    availability: Availability
    start_with: list[str]
    is_start_free: bool = False
    shares_files: bool = False

    @property
    def claimable_ref(self) -> str | None:
        """What can be claimed now to get on with it."""
        if self.availability == Availability.FREE:
            return self.ref
        return self.start_with[0] if self.is_start_free else None

    @property
    def own_ref(self) -> str | None:
        """What the caller holds already and it waits for."""
        if self.availability == Availability.MINE:
            return self.ref
        return self.start_with[-1] if self.start_with and not self.is_start_free else None


_CLOSED = {ActionState.DONE: Availability.DONE, ActionState.WONT_DO: Availability.WONT_DO}
_EARLY = {ActionState.BACKLOG: NotReadyReason.BACKLOG, ActionState.SCOPE: NotReadyReason.SCOPE}
# What a caller can go on with or take comes first.
_ORDER = (Availability.MINE, Availability.CHANGES_REQUESTED, Availability.FREE)
_STARTABLE = (Availability.FREE, Availability.MINE)


@lru_cache(maxsize=1_000)  # lists ask for hundreds, and few differ
def availability(facts: AvailabilityFacts) -> Availability:
    if facts.state in _CLOSED:
        return _CLOSED[facts.state]
    if facts.held and facts.relation == Relation.SAME:
        return Availability.MINE
    if facts.live:
        return Availability.HELD
    if facts.state == ActionState.IN_REVIEW:
        return Availability.IN_REVIEW
    if facts.state == ActionState.CHANGES_REQUESTED:
        if facts.relation in (None, Relation.OTHER_USER):
            return Availability.IN_REVIEW
        return Availability.CHANGES_REQUESTED if facts.project_active else Availability.NOT_READY
    reason = not_ready_reason(facts)
    if facts.waits and reason in (None, NotReadyReason.NOT_A_PARTICIPANT):
        return Availability.BLOCKED
    return Availability.FREE if reason is None else Availability.NOT_READY


def not_ready_reason(facts: AvailabilityFacts) -> NotReadyReason | None:
    """What holds everybody back comes first; that the caller takes no part, last."""
    if not facts.project_active:
        return NotReadyReason.PROJECT_NOT_ACTIVE
    if facts.state in _EARLY:
        return _EARLY[facts.state]
    if not facts.published:
        return NotReadyReason.UNPUBLISHED
    return None if facts.participant else NotReadyReason.NOT_A_PARTICIPANT


@lru_cache(maxsize=100)
def order_for_agents(state: Availability, has_hand_over: bool) -> int:
    """Mine, changes requested, free with something left behind, free, the rest."""
    if state not in _ORDER:
        return 2 * len(_ORDER)
    return 2 * _ORDER.index(state) + (not has_hand_over)


def start_with_by_id(
    prerequisites: Mapping[str, Collection[str]], states: Mapping[str, Availability]
) -> dict[str, list[str]]:
    """What each action waits for in the end, and the caller can get on with: the free ones, then their own.

    Each is walked once, and what is found below it serves all that wait for it.
    """
    starts: dict[str, list[str]] = {}
    for top in prerequisites:
        stack = [top] if top not in starts else []
        while stack:
            ident = stack[-1]
            below = prerequisites.get(ident, ())
            if ident not in starts:
                starts[ident] = []  # so that a circle ends
                stack += [first for first in below if first not in starts and states.get(first) == Availability.BLOCKED]
            if stack[-1] == ident:
                starts[stack.pop()] = _first_to_start(below, states, starts)
    return starts


def _first_to_start(
    below: Collection[str], states: Mapping[str, Availability], starts: Mapping[str, list[str]]
) -> list[str]:
    ids: set[str] = set()
    for first in below:
        state = states.get(first)
        if state == Availability.BLOCKED:
            ids.update(starts.get(first, ()))
        elif state in _STARTABLE:
            ids.add(first)
    if len(ids) < 2:
        return list(ids)
    return sorted(ids, key=lambda first: (states[first] != Availability.FREE, first))[:START_WITH_REFS]
