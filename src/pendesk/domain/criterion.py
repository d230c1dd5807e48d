"""Acceptance criteria: a one-way lifecycle, and beside it the evidence, which may go stale."""

from typing import Literal, NamedTuple

from pendesk.domain.errors import RuleBroken

Status = Literal["pending", "seen", "implemented", "validated", "confirmed"]
Level = Literal["claimed", "artifact", "ci", "human"]

ORDER: tuple[Status, ...] = ("pending", "seen", "implemented", "validated", "confirmed")
RANK: dict[str, int] = {status: rank for rank, status in enumerate(ORDER)}
LEVELS: tuple[Level, ...] = ("claimed", "artifact", "ci", "human")
LEVEL_RANK: dict[str, int] = {level: rank for rank, level in enumerate(LEVELS)}


class Criterion(NamedTuple):
    id: str
    action_id: str
    position: int
    text: str
    status: str
    revision: int
    removed_at: int | None


class Evidence(NamedTuple):
    id: str
    action_id: str
    criterion_id: str
    criterion_revision: int
    level: str
    sha: str | None
    text: str
    source_id: str
    given_by: str | None
    given_at: int
    stale_reason: str | None
    stale_at: int | None


def check_may_add(ref: str, action_state: str) -> None:
    if action_state in ("done", "wont_do"):
        raise RuleBroken(
            f"{ref} is {action_state}; a new criterion would be one that nobody meets. Reopen it first, or "
            "create another action.",
            code="action_closed",
        )


def later(present: str, new: str) -> str:
    """A write moves a criterion to the later of its present and its new status; nothing ever moves back."""
    return new if RANK[new] > RANK[present] else present


def best_evidence(pieces: list[Evidence]) -> Evidence | None:
    """What the badge shows: fresh before stale, then the highest level, then the newest."""
    if not pieces:
        return None
    return max(pieces, key=lambda one: (one.stale_reason is None, LEVEL_RANK[one.level], one.given_at, one.id))
