"""get_review: everything a person needs to review a submission."""

from typing import Any

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.checks import roll_up_checks
from pendesk.domain.claim import ActionFacts
from pendesk.domain.clarification import Clarification
from pendesk.domain.deviation import Deviation
from pendesk.domain.errors import RuleBroken
from pendesk.domain.review import Review, Submission
from pendesk.operations.actions.find import find_action
from pendesk.operations.actions.history import CheckRow, ReviewRow, review_row, to_check_row
from pendesk.operations.building.evidence import published_criteria_by_id
from pendesk.operations.fields import ActionId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.review.author import Authors
from pendesk.operations.review.deviation_view import Agreed, CommandRow, DeviationRow, command_row, deviation_row
from pendesk.operations.review.question_view import AskedRow, question_row
from pendesk.operations.review.submission_view import (
    Handed,
    SinceLast,
    brief_changes_since_build,
    changes_since_previous_submission,
    submission_view,
)
from pendesk.operations.review.traces import (
    OrphanTests,
    ReviewFacts,
    Trace,
    TracedCommit,
    commit_with_freshness,
    evidence_traces_by_concern,
    tests_mapped_to_no_criterion,
)
from pendesk.operations.revisions.comparison_results import FieldDiff
from pendesk.store import builds, checks, clarifications, criteria, deviations, projects, reports, reviews, specs

END_OF_TIME = 2**62


class GetReview(Input):
    action_id: ActionId


class ReviewPage(Output):
    """criteria: those of the published build, what is unmet, failing or unproven first.

    unpublished: how many more criteria people have written since.

    brief_changes: how the brief now differs from the build the work was claimed on.

    deviations: where the submission departs from what was agreed. commands: what the agent says of those that the spec
    requires to pass.
    """

    action_pid: str
    ref_code: str
    label: str
    description: str
    area: str
    state: str
    state_reason: str | None
    project_key: str
    project_name: str
    repository_url: str | None
    spec_id: str | None
    spec_title: str | None
    submission: Handed
    criteria: list[Trace]
    unpublished: int
    commits: list[TracedCommit]
    checks: list[CheckRow]
    checks_say: str
    questions: list[AskedRow]
    reviews: list[ReviewRow]
    brief_changes: list[FieldDiff]
    orphan_tests: OrphanTests | None = None
    since_last: SinceLast | None = None
    deviations: list[DeviationRow] = []
    commands: list[CommandRow] = []


def run(call: Call, args: GetReview) -> ReviewPage:
    facts = find_action(call, args.action_id)
    newest, before = _newest_and_previous_submission(call, facts)
    action = facts.action
    reviewed = reviews.reviews_of(call.tx, action.id, limits.ACTION_SUBMISSIONS_SHOWN)
    departures = deviations.of_submission(call.tx, newest.id)
    questions = clarifications.of_action(call.tx, action.id)[-limits.ACTION_QUESTIONS_SHOWN :]
    deciders = [entry.decided_by for entry in departures]
    faces = _load_authors(call, newest, reviewed, questions, deciders)
    rows = [review_row(call, review, faces.names) for review in reviewed]
    review_facts = _review_facts(call, facts, (newest, before), questions, rows)
    traced = evidence_traces_by_concern(call, review_facts)
    commits = [commit_with_freshness(commit, review_facts.last_submitted_at) for commit in review_facts.commits]
    head_checks = checks.of_commit(call.tx, action.project_id, newest.head_sha) if newest.head_sha else []
    is_reviewed = bool(rows) and rows[0].submission_id == newest.id
    return ReviewPage(
        **_action_project_and_spec_fields(call, facts),
        submission=submission_view(call, facts, newest, faces, is_reviewed=is_reviewed),
        criteria=traced,
        unpublished=len(criteria.of_action(call.tx, action.id)) - len(review_facts.published),
        commits=commits,
        checks=[to_check_row(check) for check in head_checks],
        checks_say=roll_up_checks(head_checks),
        questions=[question_row(question, traced, faces) for question in questions],
        reviews=rows,
        brief_changes=brief_changes_since_build(call, facts, newest.build_id),
        orphan_tests=tests_mapped_to_no_criterion(call, action.id),
        since_last=changes_since_previous_submission(call, facts, before, traced, commits) if before else None,
        deviations=_deviation_rows(call, facts, departures, faces),
        commands=[command_row(result) for result in deviations.commands_of(call.tx, newest.id)],
    )


def _deviation_rows(
    call: Call, facts: ActionFacts, departures: list[Deviation], authors: Authors
) -> list[DeviationRow]:
    spec = specs.by_id(call.tx, facts.action.spec_id) if departures and facts.action.spec_id else None
    return [deviation_row(entry, Agreed(facts.action, spec), authors.names) for entry in departures]


def _newest_and_previous_submission(call: Call, facts: ActionFacts) -> tuple[Submission, Submission | None]:
    newest = reviews.submissions_of(call.tx, facts.action.id, 2)
    if not newest:
        raise RuleBroken(
            f"{facts.ref} has not been submitted, so there is nothing to review. Its agent submits it when it is done.",
            code="not_submitted",
        )
    return newest[0], newest[1] if len(newest) > 1 else None


def _load_authors(
    call: Call,
    newest_submission: Submission,
    past_reviews: list[Review],
    questions: list[Clarification],
    decider_ids: list[str | None],
) -> Authors:
    reviewers = [review.reviewed_by for review in past_reviews]
    authors = [user_id for question in questions for user_id in (question.asked_by, question.answered_by)]
    return Authors(call, [newest_submission.submitted_by, *reviewers, *authors, *decider_ids])


def _review_facts(
    call: Call,
    facts: ActionFacts,
    newest_and_previous: tuple[Submission, Submission | None],
    questions: list[Clarification],
    review_rows: list[ReviewRow],
) -> ReviewFacts:
    newest, previous = newest_and_previous
    published = published_criteria_by_id(call, facts)
    return ReviewFacts(
        facts=facts,
        published=published,
        texts=_published_text_by_criterion_id(call, facts)
        or {key: entry.criterion.text for key, entry in published.items()},
        commits=reports.linked_commits(call.tx, facts.action.id, limits.ACTION_COMMITS_SHOWN),
        questions=questions,
        verdicts={verdict.criterion_id: verdict for verdict in review_rows[0].verdicts} if review_rows else {},
        last_submitted_at=previous.submitted_at if previous else END_OF_TIME,
        unmet=reviews.unmet_reason_by_criterion_id(call.tx, newest.id),
    )


def _action_project_and_spec_fields(call: Call, facts: ActionFacts) -> dict[str, Any]:
    """Which action it is, and where it belongs."""
    action = facts.action
    project = projects.by_id(call.tx, action.project_id)
    spec = specs.by_id(call.tx, action.spec_id) if action.spec_id else None
    assert project is not None
    return {
        "action_pid": action.id,
        "ref_code": facts.ref,
        "label": action.label,
        "description": action.description,
        "area": action.area,
        "state": action.state,
        "state_reason": action.state_reason,
        "project_key": project.key,
        "project_name": project.name,
        "repository_url": project.repository_url,
        "spec_id": action.spec_id,
        "spec_title": spec.title if spec else None,
    }


def _published_text_by_criterion_id(call: Call, facts: ActionFacts) -> dict[str, str]:
    texts = builds.brief_texts(call.tx, facts.build_id, facts.action.id) if facts.build_id else None
    return {criterion["id"]: criterion["text"] for criterion in texts.action["criteria"]} if texts else {}


OPERATION = Operation(
    name="get_review",
    title="See a submission",
    description=(
        "Everything to judge the newest submission of an action by: each criterion with its commits, tests, evidence "
        "(level, and why it is stale) and questions; commits and tests that are about no criterion; CI on the head; "
        "what changed since the last submission and in the brief; earlier reviews with what was done about each item. "
        "Judge it with review_action. Refused: 404 no such action, 422 nothing was submitted."
    ),
    input=GetReview,
    output=ReviewPage,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.LONG_READ,
    run=run,
)
