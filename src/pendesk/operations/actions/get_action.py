"""get_action: everything about one action: what it asks for, who has it, and what was shown."""

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import CLOSED, MOVES, NOT_READY, ActionState, ref_code
from pendesk.domain.availability import Availability
from pendesk.domain.claim import ActionFacts
from pendesk.domain.criterion import highest_ranked_evidence
from pendesk.domain.due_date import is_overdue, today
from pendesk.domain.evidence import evidence_state, with_overtaken_marked_stale
from pendesk.domain.prerequisite import is_resolved, undecided_note
from pendesk.domain.task_moves import task_states_from
from pendesk.operations.actions.find import find_action
from pendesk.operations.actions.history import (
    CheckRow,
    ClaimState,
    CommitRow,
    ReviewRow,
    SubmissionRow,
    TestRow,
    criterion_test_row,
    evidence_result,
    review_row,
    to_check_row,
    to_claim_state,
    to_commit_row,
    to_submission_row,
)
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.agent_visibility import HiddenFromAgents, hidden_by_action_id
from pendesk.operations.attachments.evidence_files import evidence_files_by_criterion_id
from pendesk.operations.availability import HeldBy, WaitsFor, availability_fields, related_actions
from pendesk.operations.building.evidence import published_criteria_by_id
from pendesk.operations.building.results import ClarificationResult, clarification_results
from pendesk.operations.fields import ActionId
from pendesk.operations.github.code_state import CodeState, code_state_by_action_id
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, to_iso_or_none
from pendesk.operations.overlap_results import OverlapResult, overlaps_of_cards
from pendesk.operations.sessions.activity_results import HolderActivity, holder_activity
from pendesk.store import checks, clarifications, criteria, edges, people, prerequisites, reports, reviews


class GetAction(Input):
    action_id: ActionId


class PrerequisiteRow(Output):
    """edge_id: what remove_edge takes. resolved: it holds nothing back. note: why not, where a person decides that."""

    edge_id: str
    pid: str
    ref_code: str
    label: str
    state: str
    resolved: bool
    note: str | None = None


class DependentRow(Output):
    pid: str
    ref_code: str
    label: str
    state: str


class WholeAction(PlannedAction, kw_only=True):
    """moves: the states that a person may set now. dependents: open actions that it comes before; until it is resolved
    they wait for it. drop_accepted_at: of what is dropped, when a person released those. activity: of the agent session
    that holds it. code: the pull request and the checks of what was submitted last. The rest of availability is as in
    a list of available work.
    """

    availability: str
    not_ready_reason: str | None = None
    held_by: HeldBy | None = None
    waits_for: list[WaitsFor] = []
    hand_over: bool = False
    overdue: bool = False
    hidden_from_agents: HiddenFromAgents | None = None
    overlaps: list[OverlapResult] = []
    claim: ClaimState | None
    activity: HolderActivity | None = None
    moves: list[str]
    prerequisites: list[PrerequisiteRow]
    dependents: list[DependentRow]
    drop_accepted_at: str | None
    clarifications: list[ClarificationResult]
    commits: list[CommitRow]
    head_sha: str | None
    checks: list[CheckRow]
    test_results: list[TestRow]
    submissions: list[SubmissionRow]
    reviews: list[ReviewRow]
    code: CodeState | None = None


def run(call: Call, args: GetAction) -> WholeAction:
    facts = find_action(call, args.action_id)
    action = facts.action
    planned = _planned_action_with_evidence(call, facts)
    related = related_actions(call, [action.id]).values()
    submitted = reviews.submissions_of(call.tx, action.id, limits.ACTION_SUBMISSIONS_SHOWN)
    reviewed = reviews.reviews_of(call.tx, action.id, limits.ACTION_SUBMISSIONS_SHOWN)
    commits = reports.commits_of_action(call.tx, action.id, limits.ACTION_COMMITS_SHOWN)
    head_sha = reports.newest_commit_sha_of_action(call.tx, action.id)
    head_checks = checks.of_commit(call.tx, action.project_id, head_sha) if head_sha else []
    results = reports.newest_test_results(call.tx, action.id, limits.ACTION_RESULTS_SHOWN)
    questions = clarifications.of_action(call.tx, action.id)[-limits.ACTION_QUESTIONS_SHOWN :]
    names = people.names_by_user_id(
        call.tx, [row.submitted_by for row in submitted] + [row.reviewed_by for row in reviewed]
    )
    return WholeAction(
        **{name: getattr(planned, name) for name in planned.__struct_fields__},
        claim=_claim_with_holder_kind(call, facts),
        activity=holder_activity(call, facts.claim),
        moves=_moves(action.state, bool(planned.criteria), next(iter(related)).availability),
        prerequisites=_prerequisite_rows(call, facts),
        dependents=[
            DependentRow(pid=dependent.id, ref_code=dependent.ref, label=dependent.label, state=dependent.state)
            for dependent in prerequisites.open_dependents(call.tx, action.id)
        ],
        drop_accepted_at=to_iso_or_none(action.drop_accepted_at),
        overdue=is_overdue(action.due_on, today(call.now), is_closed=action.state in CLOSED),
        clarifications=clarification_results(call, questions),
        commits=[to_commit_row(row) for row in commits],
        head_sha=head_sha,
        checks=[to_check_row(row) for row in head_checks],
        test_results=[criterion_test_row(row) for row in results],
        submissions=[to_submission_row(call, row, action.project_id, names) for row in submitted],
        reviews=[review_row(call, row, names) for row in reviewed],
        **availability_fields(call, related)[action.id],
        hidden_from_agents=hidden_by_action_id(call, related).get(action.id),
        code=code_state_by_action_id(call, [action.id]).get(action.id),
        overlaps=overlaps_of_cards(call, [action.id]).get(action.id, []),
    )


def _moves(state: ActionState, has_criteria: bool, availability: str) -> list[str]:
    if has_criteria:
        return list(MOVES[state])
    return [] if availability == Availability.HELD else list(task_states_from(state))


def _claim_with_holder_kind(call: Call, facts: ActionFacts) -> ClaimState | None:
    if facts.claim is None:
        return None
    session = facts.holder_session
    claim = to_claim_state(call, facts.claim, facts.holder, session.label if session else None)
    holder = people.user(call.tx, facts.claim.user_id)
    claim.holder_kind = holder.kind if holder else None
    return claim


def _planned_action_with_evidence(call: Call, facts: ActionFacts) -> PlannedAction:
    planned = to_planned_action(call, facts.action, facts.project_key, criteria.of_action(call.tx, facts.action.id))
    evidence = criteria.newest_of_each_level_by_criterion(call.tx, facts.action.id)
    histories = criteria.evidence_history_by_criterion_id(call.tx, facts.action.id)
    files = evidence_files_by_criterion_id(call, facts.action.id)
    accepting = set() if facts.action.state in NOT_READY else set(published_criteria_by_id(call, facts))
    for criterion in planned.criteria:
        history = histories[criterion.id]
        criterion.evidence_state = evidence_state(history)
        best = highest_ranked_evidence(with_overtaken_marked_stale(evidence.get(criterion.id, []), history))
        criterion.evidence = evidence_result(best) if best else None
        criterion.files = files.get(criterion.id, [])
        criterion.accepts_evidence = criterion.id in accepting
    return planned


def _prerequisite_rows(call: Call, facts: ActionFacts) -> list[PrerequisiteRow]:
    rows = edges.prerequisites(call.tx, facts.action.id)
    return [
        PrerequisiteRow(
            edge_id=edge_id,
            pid=pid,
            ref_code=ref_code(facts.project_key, number),
            label=label,
            state=state,
            resolved=is_resolved(state, drop_accepted_at),
            note=None if facts.action.state in CLOSED else undecided_note(state, drop_accepted_at),
        )
        for pid, number, label, state, drop_accepted_at, edge_id in rows
    ]


OPERATION = Operation(
    name="get_action",
    title="Read an action",
    description=(
        "One action, whole, as people see it: texts, criteria with their status, best evidence (and why it is "
        "stale) and files, the claim and how it is doing, questions, commits, checks, test results, submissions, "
        "reviews, prerequisites. Long histories show their newest part. Refused: 404 no such action."
    ),
    input=GetAction,
    output=WholeAction,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
