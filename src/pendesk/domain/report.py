"""What happened to the code: commits and test results."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.named_ids import list_ids_with_texts


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


def check_criteria_belong_to_action(criterion_ids: list[str], text_by_criterion_id: Mapping[str, str]) -> None:
    unknown = [criterion_id for criterion_id in criterion_ids if criterion_id not in text_by_criterion_id]
    if unknown:
        listed = list_ids_with_texts(text_by_criterion_id.items())
        raise RuleBroken(
            f"Not a criterion of this action: {', '.join(unknown)}. "
            + (f"Use the ids of its own: {listed}." if listed else "It has none: leave criteria out."),
            code="unknown_criterion",
            person_message="A criterion of this form was removed meanwhile. Load the page again.",
            criteria=unknown,
        )
