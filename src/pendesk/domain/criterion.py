"""Acceptance criteria: a one-way lifecycle, and beside it the evidence, which may go stale."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.action import CLOSED, Action, ActionState, action_event
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.limits import LABEL_CHARS


class CriterionStatus(StrEnum):
    """In the order of the lifecycle."""

    PENDING = "pending"
    SEEN = "seen"
    IMPLEMENTED = "implemented"
    VALIDATED = "validated"
    CONFIRMED = "confirmed"


class EvidenceLevel(StrEnum):
    """The weakest first."""

    CLAIMED = "claimed"
    ARTIFACT = "artifact"
    CI = "ci"
    HUMAN = "human"


ORDER: tuple[CriterionStatus, ...] = tuple(CriterionStatus)
RANK: dict[str, int] = {status: rank for rank, status in enumerate(ORDER)}
LEVEL_RANK: dict[str, int] = {level: rank for rank, level in enumerate(EvidenceLevel)}


class Criterion(NamedTuple):
    id: str
    action_id: str
    position: int
    text: str
    status: CriterionStatus
    revision: int
    removed_at: int | None


class Evidence(NamedTuple):
    id: str
    action_id: str
    criterion_id: str
    criterion_revision: int
    level: EvidenceLevel
    sha: str | None
    text: str
    source_id: str
    given_by: str | None
    given_at: int
    stale_reason: str | None
    stale_at: int | None


class AdvancedCriteria(NamedTuple):
    """The criteria that moved, as they are now."""

    criteria: list[Criterion]
    event: Event


def new_criterion(criterion_id: str, action_id: str, position: int, text: str) -> Criterion:
    return Criterion(criterion_id, action_id, position, text, CriterionStatus.PENDING, 1, None)


def check_may_add_criterion(ref: str, action_state: ActionState) -> None:
    if action_state in CLOSED:
        raise RuleBroken(
            f"{ref} is {action_state}; a new criterion would be one that nobody meets. Reopen it first, or "
            "create another action.",
            code="action_closed",
        )


def split_into_label_and_description(text: str) -> tuple[str, str]:
    """Of an action that says what a criterion said: its first line, and all of it where that is not enough."""
    label = text.strip().splitlines()[0]
    if label == text.strip() and len(label) <= LABEL_CHARS:
        return label, ""
    return label if len(label) <= LABEL_CHARS else label[: LABEL_CHARS - 1].rstrip() + "…", text


def more_advanced_status(current: CriterionStatus, new: CriterionStatus) -> CriterionStatus:
    """A write moves a criterion to the later of its present and its new status; nothing ever moves back."""
    return new if RANK[new] > RANK[current] else current


def advance_criteria_status(
    action: Action, criteria: Iterable[Criterion], status: CriterionStatus
) -> AdvancedCriteria | None:
    """Move those that are not as far yet; None where none moves."""
    behind = [criterion for criterion in criteria if more_advanced_status(criterion.status, status) != criterion.status]
    if not behind:
        return None
    event_data = {
        "criteria": [{"criterionId": criterion.id, "before": criterion.status} for criterion in behind],
        "after": status,
    }
    moved = [criterion._replace(status=status) for criterion in behind]
    return AdvancedCriteria(moved, action_event(action, "criterion.advanced", event_data))


def highest_ranked_evidence(pieces: list[Evidence]) -> Evidence | None:
    """What the badge shows: fresh before stale, then the highest level, then the newest."""
    if not pieces:
        return None
    return max(pieces, key=evidence_sort_key)


def evidence_sort_key(piece: Evidence) -> tuple[bool, int, int, str]:
    """The larger, the better."""
    return piece.stale_reason is None, LEVEL_RANK[piece.level], piece.given_at, piece.id
