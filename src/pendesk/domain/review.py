"""Handing work over and judging it."""

from typing import Literal, NamedTuple

from pendesk.domain.errors import RuleBroken

Verdict = Literal["approved", "changes_requested"]
CriterionVerdict = Literal["confirmed", "rejected"]
Disposition = Literal["fixed", "declined", "deferred"]


class Submission(NamedTuple):
    id: str
    action_id: str
    claim_id: str
    build_id: str | None
    number: int
    pr_url: str
    summary: str
    head_sha: str | None
    submitted_by: str
    submitted_at: int


class Review(NamedTuple):
    id: str
    action_id: str
    submission_id: str
    verdict: str
    summary: str
    head_sha: str | None
    reviewed_by: str
    reviewed_at: int


class ReviewItem(NamedTuple):
    id: str
    action_id: str
    review_id: str
    criterion_id: str | None
    text: str
    disposition: str | None
    disposition_note: str | None


def check_verdicts(verdict: Verdict, verdicts: dict[str, CriterionVerdict], criteria: dict[str, str]) -> None:
    """`criteria` are id -> status. Approving needs a confirmation of every criterion, now or earlier."""
    unknown = [each for each in verdicts if each not in criteria]
    if unknown:
        raise RuleBroken(
            f"Not a criterion of this action: {', '.join(unknown)}. Use the ids of its acceptance criteria.",
            code="unknown_criterion",
            criteria=unknown,
        )
    if verdict == "changes_requested":
        return
    rejected = [each for each, word in verdicts.items() if word == "rejected"]
    silent = [each for each, status in criteria.items() if each not in verdicts and status != "confirmed"]
    if rejected or silent:
        raise RuleBroken(
            "Approving needs every criterion confirmed. "
            f"Rejected: {len(rejected)}; without a verdict: {len(silent)}. Confirm them, or request changes.",
            code="criteria_not_confirmed",
            rejected=rejected,
            missing=silent,
        )


def check_dispositions(open_items: list[ReviewItem], disposed: set[str]) -> None:
    missing = [item for item in open_items if item.id not in disposed]
    if missing:
        raise RuleBroken(
            f"Changes that the review asked for: {len(open_items)}; without a disposition: {len(missing)}. "
            "Give each item of get_action_brief's review one: fixed (in which commit), declined or deferred (why).",
            code="dispositions_missing",
            items=[{"id": item.id, "text": item.text} for item in missing],
        )
