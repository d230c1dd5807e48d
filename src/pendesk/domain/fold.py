"""Folding the log gives the state: what became of every action, from its events alone.

States, not texts: of actions, claims, criteria with their evidence, submissions and questions. What is imported, or
older than the log says, comes in by `state.recorded`, which replaces all that was known of its project.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pendesk.domain.action import ActionState
from pendesk.domain.claim import ClaimState
from pendesk.domain.clarification import QuestionState
from pendesk.domain.criterion import LEVEL_RANK, CriterionStatus, EvidenceLevel
from pendesk.domain.event import Event, LoggedEvent
from pendesk.domain.event_data import StatesRecordedData
from pendesk.domain.limits import STATES_PER_EVENT
from pendesk.domain.review import Verdict
from pendesk.domain.task_moves import ended_claim_state


class FoldedClaim(NamedTuple):
    user_id: str
    fence: int
    state: ClaimState


class FoldedCriterion(NamedTuple):
    """fresh: the highest level of evidence that counts. best: the highest of all, stale or not."""

    status: CriterionStatus = CriterionStatus.PENDING
    fresh: EvidenceLevel | None = None
    best: EvidenceLevel | None = None
    removed: bool = False


class FoldedSubmission(NamedTuple):
    """No verdict: it waits for its review."""

    number: int
    verdict: Verdict | None = None


@dataclass(slots=True)
class FoldedAction:
    project_id: str
    spec_id: str | None
    plan_id: str | None
    state: ActionState
    fence: int = 0
    claim_id: str | None = None
    drop_accepted: bool = False
    claims: dict[str, FoldedClaim] = field(default_factory=dict)
    criteria: dict[str, FoldedCriterion] = field(default_factory=dict)
    submissions: dict[str, FoldedSubmission] = field(default_factory=dict)
    questions: dict[str, QuestionState] = field(default_factory=dict)


FoldedActions = dict[str, FoldedAction]


def fold_events(events: Iterable[LoggedEvent]) -> FoldedActions:
    """Action id -> its states. `events` are those of one workspace, in the order of their numbers."""
    actions: FoldedActions = {}
    for event in events:
        if event.kind in _OF_ACTION:
            action = actions.get(event.action_id or "")
            # Not there: it was imported before anything was recorded about it, and will be.
            if action is not None:
                _OF_ACTION[event.kind](action, event, json.loads(event.data))
        elif event.kind in _OF_LOG:
            _OF_LOG[event.kind](actions, event, json.loads(event.data))
    return actions


def build_state_recorded_events(project_id: str, actions: FoldedActions, first_part: int = 0) -> list[Event]:
    """The events that make a project's actions known to the fold, a few actions each. Part 0 forgets the others."""
    ordered = sorted(actions.items())
    parts = [ordered[start : start + STATES_PER_EVENT] for start in range(0, len(ordered), STATES_PER_EVENT)] or [[]]
    return [
        Event("state.recorded", project_id, project_id, data=_states_recorded_event_data(place, part))
        for place, part in enumerate(parts, first_part)
    ]


def _states_recorded_event_data(part_number: int, actions: list[tuple[str, FoldedAction]]) -> StatesRecordedData:
    return StatesRecordedData(
        part=part_number, count=len(actions), actions=[_folded_action_to_dict(*entry) for entry in actions]
    )


def _folded_action_to_dict(action_id: str, action: FoldedAction) -> dict[str, Any]:
    return {
        "id": action_id,
        "specId": action.spec_id,
        "planId": action.plan_id,
        "state": action.state,
        "changesRequested": action.state == ActionState.CHANGES_REQUESTED,
        "fence": action.fence,
        "claimId": action.claim_id,
        "dropAccepted": action.drop_accepted,
        "claims": [
            {"id": claim_id, "userId": claim.user_id, "fence": claim.fence, "state": claim.state}
            for claim_id, claim in action.claims.items()
        ],
        "criteria": [
            {"id": criterion_id, **criterion._asdict()} for criterion_id, criterion in action.criteria.items()
        ],
        "submissions": [
            {"id": submission_id, **submission._asdict()} for submission_id, submission in action.submissions.items()
        ],
        "questions": [{"id": question_id, "state": state} for question_id, state in action.questions.items()],
    }


def _action_from_recorded_state(project_id: str, recorded: dict[str, Any]) -> FoldedAction:
    return FoldedAction(
        project_id=project_id,
        spec_id=recorded["specId"],
        plan_id=recorded["planId"],
        # Before requested changes were a state of their own, they were a mark of one in review.
        state=ActionState.CHANGES_REQUESTED if recorded["changesRequested"] else ActionState(recorded["state"]),
        fence=recorded["fence"],
        claim_id=recorded["claimId"],
        # Before there was that decision, nobody had made it.
        drop_accepted=recorded.get("dropAccepted", False),
        claims={
            claim["id"]: FoldedClaim(claim["userId"], claim["fence"], ClaimState(claim["state"]))
            for claim in recorded["claims"]
        },
        criteria={
            criterion["id"]: FoldedCriterion(
                CriterionStatus(criterion["status"]),
                _parse_level(criterion["fresh"]),
                _parse_level(criterion["best"]),
                criterion["removed"],
            )
            for criterion in recorded["criteria"]
        },
        submissions={
            submission["id"]: FoldedSubmission(
                submission["number"], Verdict(submission["verdict"]) if submission["verdict"] else None
            )
            for submission in recorded["submissions"]
        },
        questions={question["id"]: QuestionState(question["state"]) for question in recorded["questions"]},
    )


def _parse_level(word: str | None) -> EvidenceLevel | None:
    return None if word is None else EvidenceLevel(word)


# Events that make actions, or remove several


def _apply_action_created(actions: FoldedActions, event: LoggedEvent, data: dict[str, Any]) -> None:
    criteria = {criterion_id: FoldedCriterion() for criterion_id in data.get("criterionIds", [])}
    state = ActionState(data["state"])
    actions[event.object_id] = FoldedAction(
        event.project_id or "", event.spec_id, data.get("planId"), state, criteria=criteria
    )


def _apply_action_states_recorded(actions: FoldedActions, event: LoggedEvent, data: dict[str, Any]) -> None:
    project_id = event.object_id
    if data["part"] == 0:
        _remove_actions(actions, lambda action: action.project_id == project_id)
    for entry in data["actions"]:
        actions[entry["id"]] = _action_from_recorded_state(project_id, entry)


def _apply_action_deleted(actions: FoldedActions, event: LoggedEvent, data: dict[str, Any]) -> None:
    actions.pop(event.object_id, None)


def _apply_project_deleted(actions: FoldedActions, event: LoggedEvent, data: dict[str, Any]) -> None:
    _remove_actions(actions, lambda action: action.project_id == event.object_id)


def _apply_spec_deleted(actions: FoldedActions, event: LoggedEvent, data: dict[str, Any]) -> None:
    _remove_actions(actions, lambda action: action.spec_id == event.object_id)


def _apply_plan_deleted(actions: FoldedActions, event: LoggedEvent, data: dict[str, Any]) -> None:
    _remove_actions(actions, lambda action: action.plan_id == event.object_id)


def _remove_actions(actions: FoldedActions, matches: Callable[[FoldedAction], bool]) -> None:
    for action_id in [action_id for action_id, action in actions.items() if matches(action)]:
        del actions[action_id]


# Events of one action


def _apply_action_edited(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    if "plan" in data:
        action.plan_id = data["plan"]["after"]
    if "spec" in data:
        action.spec_id = data["spec"]["after"]


def _set_action_state(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    action.state = ActionState(data["after"])
    action.drop_accepted = False


def _apply_action_moved(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    _set_action_state(action, event, data)
    _end_claim(action, data.get("claimId"), ended_claim_state(data["after"]))


def _apply_action_claimed(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    _end_claim(action, data.get("lostClaimId"), ClaimState.LOST)
    _set_action_state(action, event, data)
    action.claim_id, action.fence = event.object_id, data["fence"]
    action.claims[event.object_id] = FoldedClaim(event.actor_id or "", data["fence"], ClaimState.ACTIVE)


def _apply_action_released(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    _set_action_state(action, event, data)
    _end_claim(action, event.object_id, ClaimState.RELEASED)


def _apply_action_dropped(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    _set_action_state(action, event, data)
    _end_claim(action, data.get("claimId"), ClaimState.DROPPED)


def _apply_dependents_released(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    action.drop_accepted = True


def _apply_action_submitted(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    action.state = ActionState.IN_REVIEW
    action.submissions[event.object_id] = FoldedSubmission(data["number"])
    _end_claim(action, data.get("claimId"), ClaimState.SUBMITTED)
    _apply_evidence_added(action, event, data)


def _apply_action_reviewed(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    verdict, submission_id = Verdict(data["verdict"]), data.get("submissionId")
    if submission_id in action.submissions:
        action.submissions[submission_id] = action.submissions[submission_id]._replace(verdict=verdict)
    # Older events say that it stayed in review.
    action.state = ActionState.DONE if verdict == Verdict.APPROVED else ActionState.CHANGES_REQUESTED
    if verdict == Verdict.APPROVED:
        _end_claim(action, action.claim_id, ClaimState.DONE)
    _apply_evidence_added(action, event, data)


def _end_claim(action: FoldedAction, claim_id: str | None, state: ClaimState) -> None:
    if claim_id is not None and claim_id in action.claims:
        action.claims[claim_id] = action.claims[claim_id]._replace(state=state)


def _apply_question_asked(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    action.questions[event.object_id] = QuestionState.OPEN


def _apply_question_answered(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    action.questions[event.object_id] = QuestionState.ANSWERED


def _apply_criterion_created(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    action.criteria[event.object_id] = FoldedCriterion()


def _apply_criterion_removed(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    _update_criterion(action, event.object_id, removed=True)


def _apply_criterion_restored(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    _update_criterion(action, event.object_id, removed=False)


def _apply_criterion_edited(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    """Reworded: what was shown for the old text no longer counts."""
    if data.get("reworded"):
        _update_criterion(action, event.object_id, fresh=None)


def _apply_criteria_advanced(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    status = CriterionStatus(data["after"])
    for moved in data["criteria"]:
        _update_criterion(action, moved["criterionId"], status=status)


def _apply_evidence_added(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    """Named by the event of the report or review that gave it; `evidence.added` is about nothing else."""
    added: dict[str, Any] = data if event.kind == "evidence.added" else data.get("evidenceAdded", {})
    for criterion_id in added.get("criterionIds", ()):
        criterion = action.criteria.get(criterion_id, FoldedCriterion())
        level, is_fresh = EvidenceLevel(added["level"]), criterion_id not in added.get("staleIds", ())
        fresh = _higher_level(criterion.fresh, level) if is_fresh else criterion.fresh
        _update_criterion(action, criterion_id, fresh=fresh, best=_higher_level(criterion.best, level))


def _higher_level(present: EvidenceLevel | None, level: EvidenceLevel) -> EvidenceLevel:
    return level if present is None or LEVEL_RANK[level] > LEVEL_RANK[present] else present


def _apply_evidence_staled(action: FoldedAction, event: LoggedEvent, data: dict[str, Any]) -> None:
    """Older events do not say what still counts."""
    for criterion_id, level in zip(data["criterionIds"], data.get("freshLevels", ()), strict=False):
        _update_criterion(action, criterion_id, fresh=_parse_level(level))


def _update_criterion(action: FoldedAction, criterion_id: str, **fields: Any) -> None:
    if criterion_id in action.criteria:
        action.criteria[criterion_id] = action.criteria[criterion_id]._replace(**fields)


_OF_LOG: dict[str, Callable[[FoldedActions, LoggedEvent, dict[str, Any]], None]] = {
    "action.created": _apply_action_created,
    "action.deleted": _apply_action_deleted,
    "plan.deleted": _apply_plan_deleted,
    "spec.deleted": _apply_spec_deleted,
    "project.deleted": _apply_project_deleted,
    "state.recorded": _apply_action_states_recorded,
}

_OF_ACTION: dict[str, Callable[[FoldedAction, LoggedEvent, dict[str, Any]], None]] = {
    "action.edited": _apply_action_edited,
    "action.moved": _apply_action_moved,
    "action.reopened": _set_action_state,
    "action.claimed": _apply_action_claimed,
    "action.released": _apply_action_released,
    "action.dropped": _apply_action_dropped,
    "action.dependents_released": _apply_dependents_released,
    "action.submitted": _apply_action_submitted,
    "action.resubmitted": _apply_action_submitted,
    "action.reviewed": _apply_action_reviewed,
    "clarification.asked": _apply_question_asked,
    "clarification.answered": _apply_question_answered,
    "criterion.created": _apply_criterion_created,
    "criterion.removed": _apply_criterion_removed,
    "criterion.restored": _apply_criterion_restored,
    "criterion.edited": _apply_criterion_edited,
    "criterion.advanced": _apply_criteria_advanced,
    "test.reported": _apply_evidence_added,
    "test_report.uploaded": _apply_evidence_added,
    "attachment.added": _apply_evidence_added,
    "evidence.added": _apply_evidence_added,
    "evidence.staled": _apply_evidence_staled,
}
