"""How a criterion stands: one rule for every page, list and count."""

import pytest

from pendesk.domain.criterion import CriterionStatus, EvidenceLevel
from pendesk.domain.evidence import (
    EvidenceHistory,
    EvidenceState,
    Moment,
    count_criteria,
    evidence_state,
    overtaken_reason,
)
from tests.domain.evidence_steps import LEVEL_OF_STEP, Step, random_steps, state_after


def history(steps: list[Step], status: CriterionStatus = CriterionStatus.PENDING) -> EvidenceHistory:
    """The newest of each kind, as the store finds them."""
    newest: dict[str, Moment] = {}
    fresh: dict[EvidenceLevel, Moment] = {}
    now, has_evidence = 0, False
    for number, step in enumerate(steps):
        now += step.wait
        moment = (now, f"{number:03}a")
        outcome = "passed" if step.name == "report passed" else step.name
        newest[outcome] = moment
        if step.name == "reworded":
            fresh = {}
        if step.name in LEVEL_OF_STEP:
            fresh[LEVEL_OF_STEP[step.name]] = (now, f"{number:03}b")
            has_evidence = True
    failed, passed, rejected, confirmed = map(newest.get, ("failed", "passed", "rejected", "confirmed"))
    return EvidenceHistory("c1", "a1", status, failed, passed, rejected, confirmed, fresh, has_evidence)


@pytest.mark.parametrize("seed", range(40))
def test_the_newest_of_each_kind_say_what_the_whole_story_says(seed):
    for number in range(50):
        steps = random_steps(seed * 1000 + number)
        assert evidence_state(history(steps)) == state_after(steps), [step.name for step in steps]


def of(*names: str) -> EvidenceState:
    return evidence_state(history([Step(name, 1) for name in names]))


def test_a_later_failure_outweighs_everything_and_only_a_later_pass_or_a_person_lifts_it():
    assert of("passed", "ci", "confirmed", "failed") == EvidenceState.FAILING
    assert of("failed", "text") == EvidenceState.FAILING
    assert of("failed", "ci") == EvidenceState.FAILING
    assert of("failed", "passed") == EvidenceState.CLAIMED
    assert of("failed", "text", "confirmed") == EvidenceState.CONFIRMED


def test_what_a_person_confirmed_before_it_broke_has_to_be_looked_at_again():
    assert of("confirmed", "failed", "passed") == EvidenceState.CLAIMED


def test_a_rejected_criterion_needs_a_pass_after_the_review():
    assert of("passed", "rejected") == EvidenceState.REJECTED
    assert of("passed", "rejected", "text") == EvidenceState.REJECTED
    assert of("confirmed", "rejected", "passed") == EvidenceState.CLAIMED
    assert of("rejected", "failed") == EvidenceState.FAILING


def test_records_from_before_there_was_evidence_stand_by_their_status():
    states = {status: evidence_state(history([], status)) for status in CriterionStatus}
    assert states[CriterionStatus.CONFIRMED] == EvidenceState.CONFIRMED
    assert states[CriterionStatus.VALIDATED] == EvidenceState.CLAIMED
    assert {states[status] for status in list(CriterionStatus)[:3]} == {EvidenceState.NONE}


def test_evidence_says_what_overtook_it():
    facts = history([Step("passed", 1), Step("failed", 1), Step("rejected", 1)])
    assert overtaken_reason((1, "x"), facts) == "A later test result failed."
    assert overtaken_reason((2, "x"), facts) == "A later review rejected it."
    assert overtaken_reason((4, "x"), facts) is None


def test_only_what_is_met_is_counted_as_met():
    counts = count_criteria(list(EvidenceState))
    assert counts == (8, 1, 2, 1, 1)
    assert counts.met == 4
