"""What happened to the code: commits and test results."""

import re
from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.errors import BadField, RuleBroken


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"


SHORT_SHA_CHARS = 7
_SHA = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")


class Commit(NamedTuple):
    id: str
    project_id: str
    sha: str
    message: str
    files_changed: int | None
    branch: str | None
    source: str
    reported_by: str | None
    reported_at: int


class CriterionTestResult(NamedTuple):
    id: str
    action_id: str
    criterion_id: str
    outcome: Outcome
    evidence: str
    sha: str | None
    reported_by: str
    reported_at: int
    claim_id: str | None


def parse_full_sha(text: str, field: str = "sha") -> str:
    sha = text.strip().lower()
    if not _SHA.match(sha):
        raise BadField(field, "give the full commit SHA (40 or 64 hex digits), as `git rev-parse HEAD` prints it.")
    return sha


def short_sha(sha: str) -> str:
    return sha[:SHORT_SHA_CHARS]


def check_criteria_belong_to_action(criterion_ids: list[str], action_criterion_ids: set[str]) -> None:
    unknown = [criterion_id for criterion_id in criterion_ids if criterion_id not in action_criterion_ids]
    if unknown:
        raise RuleBroken(
            f"Not a criterion of this action: {', '.join(unknown)}. "
            "Use the ids in get_action_brief's action.acceptanceCriteria.",
            code="unknown_criterion",
            person_message="A criterion of this form was removed meanwhile. Load the page again.",
            criteria=unknown,
        )
