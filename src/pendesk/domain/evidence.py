"""What CI and the repository do to the evidence of an action."""

from pendesk.domain.checks import Check
from pendesk.domain.criterion import RANK, Criterion, Evidence

SHORT_SHA_CHARS = 7


def covered_by_ci(criteria: list[Criterion], present: list[Evidence], sha: str) -> list[Criterion]:
    """The criteria that a green run on the reported head is evidence for: what is not implemented cannot be shown.

    Those that have it already, for their present text, are left out.
    """
    shown = {
        (piece.criterion_id, piece.criterion_revision)
        for piece in present
        if piece.level == "ci" and piece.sha == sha and piece.stale_reason is None
    }
    return [one for one in criteria if RANK[one.status] >= RANK["implemented"] and (one.id, one.revision) not in shown]


def ci_text(checks: list[Check]) -> str:
    green = sorted(check.name for check in checks if check.conclusion == "success")
    return f"{len(green)} passed on GitHub: {', '.join(green[:5])}{', ...' if len(green) > 5 else ''}"


def short(sha: str) -> str:
    return sha[:SHORT_SHA_CHARS]


def failed_check_reason(check: Check) -> str:
    return f"The check {check.name} failed on {short(check.sha)} after this was shown."


def vanished_reason(branch: str, sha: str) -> str:
    return f"{branch} was force-pushed, and {short(sha)} is no longer on it."


def doubtful_reason(branch: str, sha: str) -> str:
    return f"{branch} was force-pushed, and GitHub does not tell whether {short(sha)} is still on it."
