"""Traceability: each acceptance criterion with all that speaks for it, and what speaks for none."""

from typing import NamedTuple

from pendesk.clock import to_iso
from pendesk.domain import limits
from pendesk.domain.claim import ActionFacts
from pendesk.domain.clarification import Clarification
from pendesk.domain.criterion import Evidence, evidence_sort_key
from pendesk.domain.event_data import TestReportUploadedData
from pendesk.domain.evidence import (
    EvidenceState,
    PublishedCriterion,
    evidence_state,
    with_overtaken_marked_stale,
)
from pendesk.domain.report import CriterionTestResult
from pendesk.domain.test_report import build_criterion_aliases, criterion_ids_mentioned_in
from pendesk.operations.actions.history import VerdictRow
from pendesk.operations.attachments.evidence_files import EvidenceFile, evidence_files_by_criterion_id
from pendesk.operations.operation import Call, Output
from pendesk.store import criteria, events, reports
from pendesk.store.engine.json_text import from_json
from pendesk.store.reports import LinkedCommit


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
    """number: its place among the criteria of the action.

    text is what the agent read; now_reads, where it differs, is what people have made of it since.

    evidence_state: how it stands for a person. evidence: the newest of each level, the strongest first.
    commits and questions are those that name the criterion. verdict: of the last review. unmet: why it does not hold,
    where the submission says so. files: what was attached as evidence.
    """

    id: str
    number: int
    text: str
    status: str
    evidence_state: str
    evidence: list[TracedEvidence]
    commits: list[str]
    tests: list[TracedTest]
    questions: list[str]
    now_reads: str | None = None
    verdict: VerdictRow | None = None
    unmet: str | None = None
    files: list[EvidenceFile] = []


class OrphanTests(Output):
    """Tests of the newest report that are about no criterion: how many, and the first of them."""

    count: int
    names: list[str]
    reported_at: str


class ReviewFacts(NamedTuple):
    """What traces are read from. `last_submitted_at` is when the work was submitted before, or the end of time."""

    facts: ActionFacts
    published: dict[str, PublishedCriterion]
    texts: dict[str, str]
    commits: list[LinkedCommit]
    questions: list[Clarification]
    verdicts: dict[str, VerdictRow]
    last_submitted_at: int
    unmet: dict[str, str]


def truncate_review_text(text: str) -> str:
    return text if len(text) <= limits.REVIEW_TEXT_CHARS else text[: limits.REVIEW_TEXT_CHARS - 1] + "…"


# What a reviewer has to look at first.
CONCERNS = (EvidenceState.FAILING, EvidenceState.NONE, EvidenceState.REJECTED)


def _order_of_concern(trace: Trace) -> tuple[int, int]:
    """What the agent says is not met comes first; then what fails, what nothing was shown for, what was rejected."""
    places = {str(state): place for place, state in enumerate(CONCERNS, 1)}
    return 0 if trace.unmet is not None else places.get(trace.evidence_state, len(CONCERNS) + 1), trace.number


def evidence_traces_by_concern(call: Call, review_facts: ReviewFacts) -> list[Trace]:
    return sorted(_evidence_trace_per_criterion(call, review_facts), key=_order_of_concern)


def _evidence_trace_per_criterion(call: Call, review_facts: ReviewFacts) -> list[Trace]:
    action_id = review_facts.facts.action.id
    evidence = criteria.newest_of_each_level_by_criterion(call.tx, action_id)
    histories = criteria.evidence_history_by_criterion_id(call.tx, action_id)
    tests: dict[str, list[CriterionTestResult]] = {}
    for result in reports.newest_test_results_per_criterion(call.tx, action_id, limits.CRITERION_RESULTS_SHOWN):
        tests.setdefault(result.criterion_id, []).append(result)
    questions = _question_ids_by_criterion(call, review_facts)
    files = evidence_files_by_criterion_id(call, action_id)
    return [
        Trace(
            id=criterion_id,
            number=number,
            text=review_facts.texts[criterion_id],
            status=published.criterion.status,
            evidence_state=evidence_state(histories[criterion_id]),
            evidence=[
                _evidence_with_freshness(piece, review_facts.last_submitted_at)
                for piece in _strongest_first(
                    with_overtaken_marked_stale(evidence.get(criterion_id, []), histories[criterion_id])
                )
            ],
            commits=[traced.commit.sha for traced in review_facts.commits if criterion_id in traced.criteria],
            tests=[
                _test_with_freshness(result, review_facts.last_submitted_at) for result in tests.get(criterion_id, [])
            ],
            questions=questions.get(criterion_id, []),
            now_reads=published.criterion.text
            if published.criterion.text != review_facts.texts[criterion_id]
            else None,
            verdict=review_facts.verdicts.get(criterion_id),
            unmet=review_facts.unmet.get(criterion_id),
            files=files.get(criterion_id, []),
        )
        for number, (criterion_id, published) in enumerate(review_facts.published.items(), 1)
    ]


def _strongest_first(pieces: list[Evidence]) -> list[Evidence]:
    return sorted(pieces, key=evidence_sort_key, reverse=True)


def _question_ids_by_criterion(call: Call, review_facts: ReviewFacts) -> dict[str, list[str]]:
    """Criterion id -> the questions that name it, as a test would: by its id, or AC-2 for the second."""
    if not review_facts.questions:
        return {}
    action = review_facts.facts.action
    neighbours = [
        entry
        for entry in criteria.ids_with_neighbours_in_id_order(call.tx, action.id)
        if entry[0] in review_facts.published
    ]
    names = build_criterion_aliases(neighbours, review_facts.facts.project_key, action.ref_number)
    by_criterion: dict[str, list[str]] = {}
    for question in review_facts.questions:
        for criterion_id in criterion_ids_mentioned_in(question.question, names):
            by_criterion.setdefault(criterion_id, []).append(question.id)
    return by_criterion


def _evidence_with_freshness(piece: Evidence, last_submitted_at: int) -> TracedEvidence:
    return TracedEvidence(
        level=piece.level,
        text=truncate_review_text(piece.text),
        sha=piece.sha,
        given_at=to_iso(piece.given_at),
        stale=piece.stale_reason,
        fresh=piece.given_at > last_submitted_at,
    )


def _test_with_freshness(result: CriterionTestResult, last_submitted_at: int) -> TracedTest:
    return TracedTest(
        outcome=result.outcome,
        text=truncate_review_text(result.evidence),
        sha=result.sha,
        reported_at=to_iso(result.reported_at),
        fresh=result.reported_at > last_submitted_at,
    )


def commit_with_freshness(linked: LinkedCommit, last_submitted_at: int) -> TracedCommit:
    return TracedCommit(
        sha=linked.commit.sha,
        message=truncate_review_text(linked.commit.message),
        branch=linked.commit.branch,
        files_changed=linked.commit.files_changed,
        source=linked.linked_by,
        reported_at=to_iso(linked.linked_at),
        criterion_ids=linked.criteria,
        fresh=linked.linked_at > last_submitted_at,
    )


def tests_mapped_to_no_criterion(call: Call, action_id: str) -> OrphanTests | None:
    report = events.newest_of_kind(call.tx, action_id, "test_report.uploaded")
    if report is None:
        return None
    data = TestReportUploadedData.from_wire(from_json(report.data))
    if not data.unmapped:
        return None
    return OrphanTests(count=data.unmapped, names=data.unmapped_names or [], reported_at=to_iso(report.at))
