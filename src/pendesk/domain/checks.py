"""CI's checks on a commit: what their states mean, which of two reports is newer, and the result of all together."""

from enum import StrEnum
from typing import NamedTuple


class CheckState(StrEnum):
    PENDING = "pending"
    PASSED = "passed"
    FAILED = "failed"


class Rollup(StrEnum):
    """Of all checks of a commit."""

    NONE = "none"
    PENDING = "pending"
    PASSED = "passed"
    FAILED = "failed"


# GitHub's conclusions. One that is not here is neither green nor red: it stays pending until CI reports more.
CONCLUSIONS: dict[str, CheckState] = {
    "success": CheckState.PASSED,
    "neutral": CheckState.PASSED,
    "skipped": CheckState.PASSED,
    "failure": CheckState.FAILED,
    "error": CheckState.FAILED,
    "timed_out": CheckState.FAILED,
    "cancelled": CheckState.FAILED,
    "startup_failure": CheckState.FAILED,
    "action_required": CheckState.FAILED,
    "stale": CheckState.FAILED,
}


class CiCheck(NamedTuple):
    """updated_at is CI's own time; conclusion is CI's own, once there is one."""

    project_id: str
    sha: str
    name: str
    state: CheckState
    url: str | None
    updated_at: int
    conclusion: str | None


def state_from_conclusion(conclusion: str | None) -> CheckState:
    return CONCLUSIONS.get(conclusion, CheckState.PENDING) if conclusion else CheckState.PENDING


def supersedes(new: CiCheck, known: CiCheck | None) -> bool:
    """The newest wins. Times are whole seconds, so of two at once the one that concluded wins."""
    if known is None or new.updated_at != known.updated_at:
        return known is None or new.updated_at > known.updated_at
    return new.state != CheckState.PENDING or known.state == CheckState.PENDING


def roll_up_checks(checks: list[CiCheck]) -> Rollup:
    """Green only where something was run: checks that were all skipped show nothing."""
    states = {check.state for check in checks}
    if CheckState.FAILED in states:
        return Rollup.FAILED
    if CheckState.PENDING in states:
        return Rollup.PENDING
    return Rollup.PASSED if any(check.conclusion == "success" for check in checks) else Rollup.NONE
