"""What an agent, CI or a person shows for a criterion: when it counts, and when it is stale."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from pendesk.domain.action import Action, action_event
from pendesk.domain.checks import CiCheck
from pendesk.domain.criterion import LEVEL_RANK, RANK, Criterion, CriterionStatus, Evidence, EvidenceLevel
from pendesk.domain.event import Event
from pendesk.domain.event_data import EvidenceStaledData
from pendesk.domain.limits import EVENT_LIST_ITEMS
from pendesk.domain.report import short_sha

REWORDED = "The criterion was reworded after the build that this was shown for."


FAILED_LATER = "A later test result failed."
REJECTED_LATER = "A later review rejected it."
FILE_REMOVED = "The attached file was removed."

Moment = tuple[int, str]  # when it happened, and its id, which orders what happened at the same time


class EvidenceState(StrEnum):
    """How a criterion stands for a person: by whose word it is met, or why it is not."""

    CONFIRMED = "confirmed"
    CI = "ci"
    ARTIFACT = "artifact"
    CLAIMED = "claimed"
    FAILING = "failing"
    STALE = "stale"
    REJECTED = "rejected"
    NONE = "none"


STATE_OF_LEVEL = {
    EvidenceLevel.HUMAN: EvidenceState.CONFIRMED,
    EvidenceLevel.CI: EvidenceState.CI,
    EvidenceLevel.ARTIFACT: EvidenceState.ARTIFACT,
    EvidenceLevel.CLAIMED: EvidenceState.CLAIMED,
}
STATE_WITHOUT_EVIDENCE = {
    CriterionStatus.CONFIRMED: EvidenceState.CONFIRMED,
    CriterionStatus.VALIDATED: EvidenceState.CLAIMED,
}


class EvidenceHistory(NamedTuple):
    """What decides how a criterion stands: the newest of each kind, whatever the number.

    `fresh_by_level` has what is not marked stale; `has_evidence` says whether there is any at all.
    """

    criterion_id: str
    action_id: str
    status: CriterionStatus
    failed: Moment | None
    passed: Moment | None
    rejected: Moment | None
    confirmed: Moment | None
    fresh_by_level: Mapping[EvidenceLevel, Moment]
    has_evidence: bool


def history_without_evidence(criterion: Criterion) -> EvidenceHistory:
    """Of one for which nothing was shown or judged yet."""
    return EvidenceHistory(criterion.id, criterion.action_id, criterion.status, None, None, None, None, {}, False)


class CriteriaCounts(NamedTuple):
    """The criteria of an action by how they stand. `by_machine`: shown by a report that was parsed, or by CI."""

    total: int = 0
    confirmed: int = 0
    by_machine: int = 0
    self_reported: int = 0
    failing: int = 0

    @property
    def met(self) -> int:
        return self.confirmed + self.by_machine + self.self_reported


def evidence_state(history: EvidenceHistory) -> EvidenceState:
    """The one rule. What failed last is failing and what was rejected last is rejected, whatever came before; only a
    pass or a person's confirmation after it changes that, and what an agent writes does not.
    """
    if _is_unresolved(history.failed, history):
        return EvidenceState.FAILING
    if _is_unresolved(history.rejected, history):
        return EvidenceState.REJECTED
    for level in sorted(history.fresh_by_level, key=LEVEL_RANK.__getitem__, reverse=True):
        if overtaken_reason(history.fresh_by_level[level], history) is None:
            return STATE_OF_LEVEL[level]
    if history.has_evidence:
        return EvidenceState.STALE
    return STATE_WITHOUT_EVIDENCE.get(history.status, EvidenceState.NONE)


def overtaken_reason(evidence_moment: Moment, history: EvidenceHistory) -> str | None:
    """Why evidence of that moment counts no longer; None where no failure and no rejection came after it."""
    if _is_after(history.failed, evidence_moment):
        return FAILED_LATER
    return REJECTED_LATER if _is_after(history.rejected, evidence_moment) else None


def with_overtaken_marked_stale(pieces: Iterable[Evidence], history: EvidenceHistory) -> list[Evidence]:
    return [
        piece
        if piece.stale_reason is not None
        else piece._replace(stale_reason=overtaken_reason((piece.given_at, piece.id), history))
        for piece in pieces
    ]


def count_criteria(states: list[EvidenceState]) -> CriteriaCounts:
    return CriteriaCounts(
        total=len(states),
        confirmed=states.count(EvidenceState.CONFIRMED),
        by_machine=states.count(EvidenceState.CI) + states.count(EvidenceState.ARTIFACT),
        self_reported=states.count(EvidenceState.CLAIMED),
        failing=states.count(EvidenceState.FAILING),
    )


def _is_unresolved(setback: Moment | None, history: EvidenceHistory) -> bool:
    """Whether the setback is the last word: nothing passed and nobody confirmed since."""
    return setback is not None and not any(
        _is_after(recovery, setback) for recovery in (history.passed, history.confirmed)
    )


def _is_after(later: Moment | None, earlier: Moment) -> bool:
    return later is not None and later > earlier


class PublishedCriterion(NamedTuple):
    """A criterion as it is, and the revision of it in the build that the agent works from."""

    criterion: Criterion
    published_revision: int

    @property
    def is_reworded_since_publish(self) -> bool:
        return self.published_revision != self.criterion.revision


class AddedEvidence(NamedTuple):
    """Pieces of one level that one call adds."""

    level: EvidenceLevel
    pieces: list[Evidence]

    def event_data(self) -> dict[str, Any] | None:
        """What an event says about them: enough to know what the criteria are shown by."""
        if not self.pieces:
            return None
        stale = [piece.criterion_id for piece in self.pieces if piece.stale_reason is not None]
        added = {"level": self.level, "criterionIds": _criterion_ids(self.pieces)}
        return {**added, "staleIds": stale} if stale else added


def new_evidence(
    evidence_id: str,
    published: PublishedCriterion,
    level: EvidenceLevel,
    sha: str | None,
    text: str,
    source_id: str,
    given_by: str | None,
    now: int,
) -> Evidence:
    """Bound to the text it was given for; where that has been reworded since, it is stale from the start."""
    return Evidence(
        id=evidence_id,
        action_id=published.criterion.action_id,
        criterion_id=published.criterion.id,
        criterion_revision=published.published_revision,
        level=level,
        sha=sha,
        text=text,
        source_id=source_id,
        given_by=given_by,
        given_at=now,
        stale_reason=REWORDED if published.is_reworded_since_publish else None,
        stale_at=now if published.is_reworded_since_publish else None,
    )


def ci_evidence_added_event(action: Action, evidence: list[Evidence], sha: str) -> Event:
    event_data = {"level": EvidenceLevel.CI, "sha": sha, "criterionIds": _criterion_ids(evidence)}
    return action_event(action, "evidence.added", event_data)


def stale_evidence_event(action: Action, stale_pieces: list[Evidence], remaining: list[Evidence], reason: str) -> Event:
    """`remaining` is all evidence of the action as it is afterwards, the newest of each level at least.

    The event names, for each criterion, the highest level that still counts.
    """
    criterion_ids = _criterion_ids(stale_pieces)
    event_data = EvidenceStaledData(
        reason=reason,
        criterion_ids=criterion_ids,
        fresh_levels=[highest_fresh_level(remaining, criterion_id) for criterion_id in criterion_ids],
        shas=list(dict.fromkeys(piece.sha for piece in stale_pieces))[:EVENT_LIST_ITEMS],
    )
    return action_event(action, "evidence.staled", event_data)


def highest_fresh_level(pieces: Iterable[Evidence], criterion_id: str) -> EvidenceLevel | None:
    levels = [piece.level for piece in pieces if piece.criterion_id == criterion_id and piece.stale_reason is None]
    return max(levels, key=LEVEL_RANK.__getitem__, default=None)


def _criterion_ids(pieces: list[Evidence]) -> list[str]:
    return list(dict.fromkeys(piece.criterion_id for piece in pieces))


def criteria_needing_ci_evidence(criteria: list[Criterion], existing: list[Evidence], sha: str) -> list[Criterion]:
    """The criteria that a green run on the reported head is evidence for: what is not implemented cannot be shown.

    Those that have it already, for their present text, are left out.
    """
    covered = {
        (piece.criterion_id, piece.criterion_revision)
        for piece in existing
        if piece.level == EvidenceLevel.CI and piece.sha == sha and piece.stale_reason is None
    }
    return [
        criterion
        for criterion in criteria
        if RANK[criterion.status] >= RANK[CriterionStatus.IMPLEMENTED]
        and (criterion.id, criterion.revision) not in covered
    ]


def ci_evidence_text(checks: list[CiCheck]) -> str:
    green = sorted(check.name for check in checks if check.conclusion == "success")
    return f"{len(green)} passed on GitHub: {', '.join(green[:5])}{', ...' if len(green) > 5 else ''}"


def stale_reason_for_failed_check(check: CiCheck) -> str:
    return f"The check {check.name} failed on {short_sha(check.sha)} after this was shown."


def stale_reason_for_removed_commit(branch: str, sha: str) -> str:
    return f"{branch} was force-pushed, and {short_sha(sha)} is no longer on it."


def stale_reason_for_unconfirmed_commit(branch: str, sha: str) -> str:
    return f"{branch} was force-pushed, and GitHub does not say whether {short_sha(sha)} is still on it."
