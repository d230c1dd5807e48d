"""Submissions and their reviews: the records and the rules. What changes them is in review_transitions.py."""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.action import SUBMITTED, Action
from pendesk.domain.change import Side
from pendesk.domain.criterion import Criterion
from pendesk.domain.errors import Advice, BadField, Conflict, RuleBroken
from pendesk.domain.evidence import EvidenceState
from pendesk.domain.limits import NAME_CHARS
from pendesk.domain.named_ids import list_ids_with_texts
from pendesk.domain.web_address import authority, is_private_host


class Verdict(StrEnum):
    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"


class CriterionVerdict(StrEnum):
    CONFIRMED = "confirmed"
    REJECTED = "rejected"


class Disposition(StrEnum):
    FIXED = "fixed"
    DECLINED = "declined"
    DEFERRED = "deferred"


class ItemKind(StrEnum):
    """A request is answered by the agent; a remark asks for nothing."""

    REQUEST = "request"
    REMARK = "remark"


class Submission(NamedTuple):
    id: str
    action_id: str
    claim_id: str
    build_id: str | None
    number: int
    pr_url: str | None
    summary: str
    head_sha: str | None
    submitted_by: str
    submitted_at: int
    branch: str | None


class Review(NamedTuple):
    id: str
    action_id: str
    submission_id: str
    verdict: Verdict
    summary: str
    head_sha: str | None
    reviewed_by: str
    reviewed_at: int


class ReviewItem(NamedTuple):
    """`kind` None stands for a request. The lines it is about, where it is about some: `path` to `quote`, which holds
    them as they were. `deviation_id`: what the request came of.
    """

    id: str
    action_id: str
    review_id: str
    criterion_id: str | None
    text: str
    disposition: Disposition | None
    disposition_note: str | None
    kind: ItemKind | None = None
    path: str | None = None
    side: Side | None = None
    line: int | None = None
    end_line: int | None = None
    quote: str | None = None
    deviation_id: str | None = None

    @property
    def is_request(self) -> bool:
        return self.kind != ItemKind.REMARK


class RequestedChange(NamedTuple):
    """Who requested changes, and the first of them."""

    reviewer: str
    text: str


class UnmetCriterion(NamedTuple):
    """A criterion that an agent says does not hold, in a submission all the same."""

    submission_id: str
    criterion_id: str
    reason: str


class SubmittedCode(NamedTuple):
    """Where a reviewer finds the work: a pull request, or a branch and its head."""

    pr_url: str | None
    branch: str | None
    head_sha: str | None


def check_reviewer_can_find_code(code: SubmittedCode, project_key: str, repository_url: str | None) -> None:
    """A pull request where the project has a repository; elsewhere that, or both a branch and its head."""
    if code.pr_url is not None:
        _check_pull_request_host(code.pr_url, repository_url)
        return
    if repository_url is not None:
        raise BadField(
            "pr_url",
            f"is missing. The project {project_key} has a repository, so its reviewer reads the pull request: push the "
            "branch, open one, and send its URL.",
        )
    if code.branch is None and code.head_sha is None:
        raise BadField(
            "pr_url",
            "is missing, and so are branch and head_sha. Send one of the two, so that the reviewer finds the work: "
            "the URL of a pull request, or the branch and its head's full SHA.",
        )
    if code.branch is None:
        raise BadField("branch", "is missing beside head_sha: without a pull request the reviewer needs both.")
    if code.head_sha is None:
        raise BadField(
            "head_sha",
            "is missing beside branch: without a pull request the reviewer needs both. `git rev-parse HEAD` prints it.",
        )


def _check_pull_request_host(pr_url: str, repository_url: str | None) -> None:
    """A person opens it: nothing of their own machine or network, unless the project's code is there."""
    if is_private_host(pr_url) and authority(pr_url) != authority(repository_url or ""):
        raise BadField(
            "pr_url",
            f"leads to {authority(pr_url)[:NAME_CHARS]}, which is a reviewer's own machine or a private network. Send "
            "the public address of the pull request; where the code is on that host, a person sets the project's "
            "repository_url to it first.",
        )


def check_failing_criteria_are_declared(
    criteria: Iterable[Criterion], state_by_criterion: Mapping[str, EvidenceState], unmet_ids: Collection[str]
) -> None:
    failing = [
        criterion
        for criterion in criteria
        if state_by_criterion[criterion.id] == EvidenceState.FAILING and criterion.id not in unmet_ids
    ]
    if failing:
        raise RuleBroken(
            f"The latest test result failed for {_list_criteria(failing)}. Evidence alone does not lift it.",
            code="criteria_failing",
            advice=_prove_or_declare("Fix it and report a passed result with report_test_result"),
            criteria=[{"id": criterion.id, "text": criterion.text} for criterion in failing],
        )


def unproven_criteria(
    criteria: Iterable[Criterion], state_by_criterion: Mapping[str, EvidenceState], declared_ids: Collection[str]
) -> list[Criterion]:
    """Those for which nothing was ever shown, and that the submission says nothing about."""
    return [
        criterion
        for criterion in criteria
        if state_by_criterion[criterion.id] == EvidenceState.NONE and criterion.id not in declared_ids
    ]


def check_every_criterion_is_proven(project_key: str, unproven: list[Criterion]) -> None:
    if unproven:
        raise RuleBroken(
            f"The project {project_key} requires evidence for every criterion; there is none for "
            f"{_list_criteria(unproven)}.",
            code="criteria_unproven",
            advice=_prove_or_declare("Report a passed test with report_test_result, send evidence"),
            criteria=[{"id": criterion.id, "text": criterion.text} for criterion in unproven],
        )


def _prove_or_declare(proof: str) -> tuple[Advice, ...]:
    return (Advice(f"{proof}, or name it in unmet with the reason.", ("report_test_result",)),)


def _list_criteria(criteria: list[Criterion]) -> str:
    return list_ids_with_texts((criterion.id, criterion.text) for criterion in criteria)


def require_reviewable_submission(
    ref: str,
    action: Action,
    submission: Submission | None,
    is_reviewed: bool,
    seen_sha_and_submission_number: tuple[str | None, int | None],
) -> Submission:
    """The newest submission, if it waits for a verdict.

    `seen_sha_and_submission_number` is what the reviewer saw, where they say so: the same code may be submitted
    again with other words, so the number counts beside the SHA.
    """
    if action.state not in SUBMITTED or submission is None:
        raise RuleBroken(f"{ref} has not been submitted, so there is nothing to review.", code="not_in_review")
    head_sha, number = seen_sha_and_submission_number
    if head_sha not in (None, submission.head_sha) or number not in (None, submission.number):
        raise Conflict(
            f"{ref} was submitted again while you looked. Read the newest submission, then review it.",
            code="submission_moved",
            headSha=submission.head_sha,
            submissionNumber=submission.number,
        )
    if is_reviewed:
        raise RuleBroken(
            f"The latest submission of {ref} was reviewed already. Wait until it is submitted again.",
            code="already_reviewed",
        )
    return submission


def check_verdict_fits_criteria(
    verdict: Verdict, verdict_by_criterion: dict[str, CriterionVerdict], state_by_criterion: dict[str, EvidenceState]
) -> None:
    """`state_by_criterion` has every criterion of the action. Approving needs a confirmation of each, now or earlier;
    what failed or went stale since it was confirmed needs another.
    """
    unknown = [criterion_id for criterion_id in verdict_by_criterion if criterion_id not in state_by_criterion]
    if unknown:
        raise RuleBroken(
            f"Not a criterion of this action: {', '.join(unknown)}. Use the ids of its acceptance criteria.",
            code="unknown_criterion",
            criteria=unknown,
        )
    if verdict == Verdict.CHANGES_REQUESTED:
        return
    rejected = [
        criterion_id for criterion_id, word in verdict_by_criterion.items() if word == CriterionVerdict.REJECTED
    ]
    missing = [
        criterion_id
        for criterion_id, state in state_by_criterion.items()
        if criterion_id not in verdict_by_criterion and state != EvidenceState.CONFIRMED
    ]
    if rejected or missing:
        raise RuleBroken(
            "Approving needs every criterion confirmed. "
            f"Rejected: {len(rejected)}; without a verdict: {len(missing)}. Confirm them, or request changes.",
            code="criteria_not_confirmed",
            rejected=rejected,
            missing=missing,
        )


def check_verdict_fits_items(verdict: Verdict, kinds: list[ItemKind]) -> None:
    if verdict == Verdict.APPROVED and ItemKind.REQUEST in kinds:
        raise BadField(
            f"items[{kinds.index(ItemKind.REQUEST)}].kind",
            "requests a change, and the verdict approves the work. Make it a remark, or request changes.",
        )


def check_review_items_are_open(open_items: list[ReviewItem], answered_ids: list[str]) -> None:
    """`answered_ids` are the ids of items that the caller answers. The reviewer sees which have no answer."""
    known = {item.id for item in open_items}
    unknown = [item_id for item_id in answered_ids if item_id not in known]
    if unknown:
        listed = list_ids_with_texts((item.id, item.text) for item in open_items)
        raise RuleBroken(
            f"Not an open item of the last review: {', '.join(unknown)}. "
            + (f"Use the ids of these: {listed}." if listed else "It has none: leave dispositions out."),
            code="unknown_review_item",
            items=unknown,
        )
