"""Which change of an action a caller means, and what its commits are for."""

from typing import NamedTuple

import msgspec

from pendesk.domain.change import Change, ChangeCommit, ChangeFile
from pendesk.domain.claim import ActionFacts
from pendesk.domain.errors import NotFound
from pendesk.domain.limits import ACTION_SUBMISSIONS_SHOWN, CHANGE_COMMITS
from pendesk.domain.review import Submission
from pendesk.operations.building.claim_guard import action_not_found_refusal, find_action_past_scoping, may_see_spec
from pendesk.operations.operation import Call
from pendesk.store import changes, reports, reviews

_decode_commits = msgspec.json.Decoder(list[ChangeCommit]).decode


class ShownChange(NamedTuple):
    """`submission` is that which the caller means, `previous` the one before; a change of no submission is pending."""

    facts: ActionFacts
    submission: Submission | None
    previous: Submission | None
    change: Change | None

    @property
    def number(self) -> int | None:
        is_submitted = self.change is not None and self.change.submission_id is not None
        return self.submission.number if self.submission is not None and is_submitted else None


class Purposes(NamedTuple):
    """By commit SHA the criteria that it is for."""

    criterion_ids_by_sha: dict[str, list[str]]
    commits: list[ChangeCommit]

    def criterion_ids(self, shas: list[str]) -> list[str]:
        return list(dict.fromkeys(ident for sha in shas for ident in self.criterion_ids_by_sha.get(sha, [])))


class ViewedFiles(NamedTuple):
    """What the caller has looked at. A mark is on what the whole change does to a file, so it holds in both parts until
    that changes; only of a file that the change leaves as it was is it on what is new.
    """

    marked_digest_by_path: dict[str, str]
    whole_digest_by_path: dict[str, str]

    def has(self, file: ChangeFile) -> bool:
        return self.marked_digest_by_path.get(file.path) == self.whole_digest_by_path.get(file.path, file.digest)


def viewed_files(call: Call, change: Change, whole: list[ChangeFile]) -> ViewedFiles:
    """`whole` are the files of the part `change`."""
    marked = changes.viewed_digest_by_path(call.tx, call.actor.user_id, change.action_id)
    return ViewedFiles(marked, {file.path: file.digest for file in reversed(whole)})


def find_change(call: Call, action_id: str, submission_number: int | None) -> ShownChange:
    """That of a submission; without a number the newest one's, else what was pushed and not submitted yet."""
    facts = find_action_past_scoping(call, action_id)
    if not may_see_spec(call, facts.action.spec_id):
        raise action_not_found_refusal(call, action_id)
    submissions = reviews.submissions_of(call.tx, facts.action.id, ACTION_SUBMISSIONS_SHOWN)
    place = 0
    if submission_number is not None:
        numbers = [submission.number for submission in submissions]
        if submission_number not in numbers:
            raise NotFound("submission", str(submission_number))
        place = numbers.index(submission_number)
    submission, previous = ([*submissions[place : place + 2], None, None])[:2]
    change = changes.of_submission(call.tx, submission.id) if submission else None
    if change is None and submission_number is None:
        change = changes.pending_of(call.tx, facts.action.id)
    return ShownChange(facts, submission, previous, change)


def purposes(call: Call, change: Change) -> Purposes:
    linked = reports.linked_commits(call.tx, change.action_id, CHANGE_COMMITS)
    return Purposes({entry.commit.sha: entry.criteria for entry in linked}, _decode_commits(change.commits))


def shas_by_path(files: list[ChangeFile], commits: list[ChangeCommit]) -> dict[str, list[str]]:
    """`files` are those of the part `change`, which commits name by their place."""
    path_by_position = {file.position: file.path for file in files}
    by_path: dict[str, list[str]] = {}
    for commit in commits:
        for position in commit.files:
            by_path.setdefault(path_by_position.get(position, ""), []).append(commit.sha)
    return by_path
