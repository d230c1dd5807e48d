"""Whether a submission can be read from GitHub, and what came of the last try."""

from pendesk.domain.claim import ActionFacts
from pendesk.domain.github_api import NEVER
from pendesk.domain.review import Submission
from pendesk.operations.operation import Call, Output, to_iso_or_none
from pendesk.store import github_fetches

NO_COMMIT = (
    "The agent submitted its pull request without a commit, so no change can be bound to the submission. It has to "
    "report its commits, or to submit with head_sha."
)


class FetchState(Output):
    """problem: of the last try. next_at: when the server tries again by itself; left out where it does not."""

    problem: str | None = None
    next_at: str | None = None


def fetch_state(call: Call, facts: ActionFacts, submission: Submission) -> FetchState | None:
    """None where the project has no token, or the submission no pull request."""
    if submission.pr_url is None or github_fetches.token(call.tx, facts.action.project_id) is None:
        return None
    if submission.head_sha is None:
        return FetchState(problem=NO_COMMIT)
    row = github_fetches.fetch_of_action(call.tx, facts.action.id)
    if row is None or row.submission_id != submission.id:
        return FetchState()
    return FetchState(problem=row.problem, next_at=to_iso_or_none(row.due_at if row.due_at < NEVER else None))
