"""Traceability: each acceptance criterion with all that speaks for it, and what speaks for none."""

from typing import NamedTuple

from pendesk.clock import to_iso
from pendesk.domain import limits
from pendesk.domain.claim import ActionFacts
from pendesk.domain.clarification import Clarification
from pendesk.domain.criterion import Evidence, evidence_strength
from pendesk.domain.event_data import TestReportUploadedData
from pendesk.domain.evidence import PublishedCriterion
from pendesk.domain.report import CriterionTest
from pendesk.domain.test_report import named_in, names_of
from pendesk.operations.actions.history import VerdictRow
from pendesk.operations.operation import Call, Output
from pendesk.store import criteria, events, reports
from pendesk.store.engine.json_text import from_json
from pendesk.store.reports import Traced


class TracedEvidence(Output):
    """stale: why it no longer counts. fresh: given since the last submission."""

    level: str
    text: str
    sha: str | None
    given_at: str
    stale: str | None = None
    fresh: bool = False


class TracedTest(Output):
    outcome: str
    text: str
    sha: str | None
    reported_at: str
    fresh: bool = False


class TracedCommit(Output):
    """criterion_ids: empty for an orphan. source: whose word ties it to the action, agent or webhook."""

    sha: str
    message: str
    branch: str | None
    files_changed: int | None
    source: str
    reported_at: str
    criterion_ids: list[str]
    fresh: bool = False


class Trace(Output):
    """text is what the agent read; now_reads, where it differs, is what people have made of it since.

    evidence: the newest of each level, the strongest first. commits and questions are those that name the criterion.
    verdict: of the last review.
    """

    id: str
    text: str
    status: str
    evidence: list[TracedEvidence]
    commits: list[str]
    tests: list[TracedTest]
    questions: list[str]
    now_reads: str | None = None
    verdict: VerdictRow | None = None


class OrphanTests(Output):
    """Tests of the newest report that are about no criterion: how many, and the first of them."""

    count: int
    names: list[str]
    reported_at: str


class ReviewFacts(NamedTuple):
    """What traces are read from. `last` is when the work was submitted before, or the end of time."""

    facts: ActionFacts
    published: dict[str, PublishedCriterion]
    texts: dict[str, str]
    commits: list[Traced]
    questions: list[Clarification]
    verdicts: dict[str, VerdictRow]
    last: int


def excerpt(text: str) -> str:
    return text if len(text) <= limits.REVIEW_TEXT_CHARS else text[: limits.REVIEW_TEXT_CHARS - 1] + "…"


def traces(call: Call, facts: ReviewFacts) -> list[Trace]:
    action_id = facts.facts.action.id
    evidence = criteria.top_evidence(call.tx, action_id)
    tests: dict[str, list[CriterionTest]] = {}
    for result in reports.newest_of_each_criterion(call.tx, action_id, limits.CRITERION_RESULTS_SHOWN):
        tests.setdefault(result.criterion_id, []).append(result)
    questions = _questions(call, facts)
    return [
        Trace(
            id=criterion_id,
            text=facts.texts[criterion_id],
            status=published.criterion.status,
            evidence=[_evidence(piece, facts.last) for piece in _strongest_first(evidence.get(criterion_id, []))],
            commits=[traced.commit.sha for traced in facts.commits if criterion_id in traced.criteria],
            tests=[_test(result, facts.last) for result in tests.get(criterion_id, [])],
            questions=questions.get(criterion_id, []),
            now_reads=published.criterion.text if published.criterion.text != facts.texts[criterion_id] else None,
            verdict=facts.verdicts.get(criterion_id),
        )
        for criterion_id, published in facts.published.items()
    ]


def _strongest_first(pieces: list[Evidence]) -> list[Evidence]:
    return sorted(pieces, key=evidence_strength, reverse=True)


def _questions(call: Call, review_facts: ReviewFacts) -> dict[str, list[str]]:
    """Criterion id -> the questions that name it, as a test would: by its id, or AC-2 for the second."""
    if not review_facts.questions:
        return {}
    action = review_facts.facts.action
    neighbours = [entry for entry in criteria.neighbours(call.tx, action.id) if entry[0] in review_facts.published]
    names = names_of(neighbours, review_facts.facts.project_key, action.ref_number)
    by_criterion: dict[str, list[str]] = {}
    for question in review_facts.questions:
        for criterion_id in named_in(question.question, names):
            by_criterion.setdefault(criterion_id, []).append(question.id)
    return by_criterion


def _evidence(piece: Evidence, last: int) -> TracedEvidence:
    return TracedEvidence(
        level=piece.level,
        text=excerpt(piece.text),
        sha=piece.sha,
        given_at=to_iso(piece.given_at),
        stale=piece.stale_reason,
        fresh=piece.given_at > last,
    )


def _test(result: CriterionTest, last: int) -> TracedTest:
    return TracedTest(
        outcome=result.outcome,
        text=excerpt(result.evidence),
        sha=result.sha,
        reported_at=to_iso(result.reported_at),
        fresh=result.reported_at > last,
    )


def traced_commit(traced: Traced, last: int) -> TracedCommit:
    return TracedCommit(
        sha=traced.commit.sha,
        message=excerpt(traced.commit.message),
        branch=traced.commit.branch,
        files_changed=traced.commit.files_changed,
        source=traced.linked_by,
        reported_at=to_iso(traced.linked_at),
        criterion_ids=traced.criteria,
        fresh=traced.linked_at > last,
    )


def orphan_tests(call: Call, action_id: str) -> OrphanTests | None:
    report = events.newest_of_kind(call.tx, action_id, "test_report.uploaded")
    if report is None:
        return None
    data = TestReportUploadedData.from_wire(from_json(report.data))
    if not data.unmapped:
        return None
    return OrphanTests(count=data.unmapped, names=data.unmapped_names or [], reported_at=to_iso(report.at))
