"""The fold by itself: what it makes of events that are old, unknown, or about what is not there any more."""

import json
from typing import Any

from pendesk.domain.action import ActionState
from pendesk.domain.claim import ClaimState
from pendesk.domain.clarification import QuestionState
from pendesk.domain.criterion import CriterionStatus, EvidenceLevel
from pendesk.domain.event import Event, LoggedEvent
from pendesk.domain.event_data import event_data_to_wire
from pendesk.domain.fold import (
    FoldedAction,
    FoldedClaim,
    FoldedCriterion,
    FoldedSubmission,
    build_state_recorded_events,
    fold_events,
)
from pendesk.domain.limits import STATES_PER_EVENT
from pendesk.domain.review import Verdict


def logged(event: Event, seq: int = 1) -> LoggedEvent:
    place = (event.object_id, event.project_id, event.spec_id, event.action_id)
    return LoggedEvent(
        seq,
        0,
        event.kind,
        "ada",
        None,
        "web",
        *place,
        json.dumps(event.data if isinstance(event.data, dict) else event_data_to_wire(event)),
    )


def of_action(kind: Any, data: dict[str, Any], object_id: str = "a1") -> LoggedEvent:
    return logged(Event(kind, object_id, "p1", "s1", "a1", data))


CREATED = of_action("action.created", {"state": "todo", "criterionIds": ["c1", "c2"], "planId": "plan-1"})


def whole_action() -> FoldedAction:
    return FoldedAction(
        "p1",
        "s1",
        "plan-1",
        ActionState.CHANGES_REQUESTED,
        fence=2,
        claim_id="k2",
        claims={"k1": FoldedClaim("ada", 1, ClaimState.LOST), "k2": FoldedClaim("bea", 2, ClaimState.SUBMITTED)},
        criteria={
            "c1": FoldedCriterion(CriterionStatus.VALIDATED, None, EvidenceLevel.CI),
            "c2": FoldedCriterion(removed=True),
        },
        submissions={"n1": FoldedSubmission(1, Verdict.CHANGES_REQUESTED), "n2": FoldedSubmission(2)},
        questions={"q1": QuestionState.ANSWERED, "q2": QuestionState.OPEN},
    )


def test_what_is_recorded_is_folded_back_unchanged():
    events = build_state_recorded_events("p1", {"a1": whole_action()})
    assert fold_events(map(logged, events)) == {"a1": whole_action()}


def test_many_actions_are_recorded_a_few_at_a_time_and_none_is_lost():
    actions = {f"a{number:03}": whole_action() for number in range(2 * STATES_PER_EVENT + 1)}
    events = build_state_recorded_events("p1", actions)
    assert [event_data_to_wire(event)["count"] for event in events] == [STATES_PER_EVENT, STATES_PER_EVENT, 1]
    assert fold_events(map(logged, events)) == actions


def test_recording_replaces_all_that_was_known_of_the_project_and_nothing_else():
    elsewhere = logged(Event("action.created", "a9", "p2", None, "a9", {"state": "done"}))
    (empty,) = build_state_recorded_events("p1", {})
    assert list(fold_events([CREATED, elsewhere, logged(empty)])) == ["a9"]


def test_events_about_an_action_that_is_not_known_are_passed_over():
    claimed = of_action("action.claimed", {"after": "in_progress", "fence": 1, "lostClaimId": None}, "k1")
    assert fold_events([claimed]) == {}


def test_a_deleted_plan_takes_its_actions_along():
    deleted = logged(Event("plan.deleted", "plan-1", "p1", "s1"))
    assert fold_events([CREATED, deleted]) == {}
    moved = of_action("action.edited", {"plan": {"before": "plan-1", "after": "plan-2"}})
    assert list(fold_events([CREATED, moved, deleted])) == ["a1"]


def test_evidence_counts_by_its_highest_level_until_it_is_stale():
    ci = of_action("evidence.added", {"level": "ci", "sha": "x", "criterionIds": ["c1"]})
    claimed = {"evidenceAdded": {"level": "claimed", "criterionIds": ["c1", "c2"], "staleIds": ["c2"]}}
    staled = {"reason": "red", "criterionIds": ["c1"], "freshLevels": ["claimed"], "shas": ["x"]}
    reported = of_action("test.reported", claimed, "t1")
    criteria = fold_events([CREATED, ci, reported])["a1"].criteria
    assert criteria["c1"] == FoldedCriterion(fresh=EvidenceLevel.CI, best=EvidenceLevel.CI)
    assert criteria["c2"] == FoldedCriterion(fresh=None, best=EvidenceLevel.CLAIMED)
    after = fold_events([CREATED, ci, reported, of_action("evidence.staled", staled)])["a1"].criteria["c1"]
    assert after == FoldedCriterion(fresh=EvidenceLevel.CLAIMED, best=EvidenceLevel.CI)


def test_events_from_before_the_ids_were_written_do_no_harm():
    old = [
        of_action("action.created", {"state": "todo", "criteria": 2}),
        of_action("action.claimed", {"after": "in_progress", "fence": 1}, "k1"),
        of_action("test.reported", {"criterionId": "c1", "outcome": "passed", "evidence": ""}, "t1"),
        of_action("evidence.staled", {"reason": "red", "criterionIds": ["c1"], "shas": []}),
        of_action("action.submitted", {"after": "in_review", "number": 1}, "n1"),
        of_action("action.reviewed", {"after": "done", "verdict": "approved", "verdicts": []}, "r1"),
    ]
    assert fold_events(old)["a1"].state == ActionState.DONE
