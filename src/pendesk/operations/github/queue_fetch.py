"""What was submitted with a pull request is read from GitHub at once, and again while it is in review."""

from pendesk.domain.github_api import GithubFetch
from pendesk.domain.project import Project
from pendesk.domain.review import Submission
from pendesk.operations.operation import Call
from pendesk.store import github_fetches


def queue_fetch(call: Call, project: Project, submission: Submission) -> None:
    """Where the project has a token."""
    if submission.pr_url is not None and github_fetches.token(call.tx, project.id) is not None:
        github_fetches.save_fetch(call.tx, GithubFetch(submission.action_id, submission.id, call.now, 0, None))
