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


class CheckTally(NamedTuple):
    """How many checks of a commit stand how, and when CI last said something. `succeeded`: of those that passed, what
    was really run.
    """

    passed: int = 0
    failed: int = 0
    pending: int = 0
    succeeded: int = 0
    newest_at: int = 0


def tally_checks(checks: list[CiCheck]) -> CheckTally:
    states = [check.state for check in checks]
    return CheckTally(
        passed=states.count(CheckState.PASSED),
        failed=states.count(CheckState.FAILED),
        pending=states.count(CheckState.PENDING),
        succeeded=sum(check.conclusion == "success" for check in checks),
        newest_at=max((check.updated_at for check in checks), default=0),
    )


def roll_up(tally: CheckTally) -> Rollup:
    """Green only where something was run: checks that were all skipped show nothing."""
    if tally.failed:
        return Rollup.FAILED
    if tally.pending:
        return Rollup.PENDING
    return Rollup.PASSED if tally.succeeded else Rollup.NONE


def roll_up_checks(checks: list[CiCheck]) -> Rollup:
    return roll_up(tally_checks(checks))
