"""CI's word on a commit: what its states mean, which of two words is the newer one, and what all say together."""

from typing import Literal, NamedTuple

CheckState = Literal["pending", "passed", "failed"]
Rollup = Literal["none", "pending", "passed", "failed"]

# GitHub's conclusions. One that is not here is neither green nor red: it stays pending until CI says more.
CONCLUSIONS: dict[str, CheckState] = {
    "success": "passed",
    "neutral": "passed",
    "skipped": "passed",
    "failure": "failed",
    "error": "failed",
    "timed_out": "failed",
    "cancelled": "failed",
    "startup_failure": "failed",
    "action_required": "failed",
    "stale": "failed",
}


class Check(NamedTuple):
    """updated_at is CI's own time; conclusion is its own word, where it has concluded."""

    project_id: str
    sha: str
    name: str
    state: str
    url: str | None
    updated_at: int
    conclusion: str | None


def state_of(conclusion: str | None) -> CheckState:
    return CONCLUSIONS.get(conclusion, "pending") if conclusion else "pending"


def supersedes(new: Check, known: Check | None) -> bool:
    """The newest wins. Times are whole seconds, so of two at once the one that concluded wins."""
    if known is None or new.updated_at != known.updated_at:
        return known is None or new.updated_at > known.updated_at
    return new.state != "pending" or known.state == "pending"


def rollup(checks: list[Check]) -> Rollup:
    """Green only where something was run: checks that were all skipped show nothing."""
    states = {check.state for check in checks}
    if "failed" in states:
        return "failed"
    if "pending" in states:
        return "pending"
    return "passed" if any(check.conclusion == "success" for check in checks) else "none"
