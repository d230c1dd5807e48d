"""When a prerequisite holds back, and a person's decision about what was dropped."""

import pytest

from pendesk.domain.action import ActionState, TaskCaller, change_state_by_person
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event_data import event_data_to_wire
from pendesk.domain.limits import DEPENDENTS_NAMED
from pendesk.domain.prerequisite import is_resolved, release_dependents
from tests.domain.nouns import ME, an_action

NOBODY = TaskCaller(holds=lambda: False, may_claim=lambda: False)
DROPPED = an_action(state=ActionState.WONT_DO, state_reason="Not needed.")


def test_only_what_is_done_or_dropped_and_accepted_holds_nothing_back():
    assert [state for state in ActionState if is_resolved(state, None)] == [ActionState.DONE]
    assert is_resolved(ActionState.WONT_DO, 5)


def test_releasing_what_waits_says_who_and_when_and_for_which():
    action, event = release_dependents(DROPPED, "PEN-12", ["PEN-13", "PEN-14"], ME, 9)
    assert (action.drop_accepted_at, action.drop_accepted_by, action.updated_at) == (9, ME, 9)
    assert (event.kind, event.action_id) == ("action.dependents_released", action.id)
    assert event_data_to_wire(event) == {
        "before": "waiting",
        "after": "released",
        "dependents": ["PEN-13", "PEN-14"],
        "count": 2,
    }


def test_an_event_names_the_first_of_many():
    refs = [f"PEN-{number}" for number in range(100)]
    _, event = release_dependents(DROPPED, "PEN-12", refs, ME, 9)
    data = event_data_to_wire(event)
    assert (data["dependents"], data["count"]) == (refs[:DEPENDENTS_NAMED], 100)


@pytest.mark.parametrize("state", [state for state in ActionState if state != ActionState.WONT_DO])
def test_nothing_but_what_is_dropped_is_decided_about(state):
    with pytest.raises(RuleBroken) as refusal:
        release_dependents(an_action(state=state), "PEN-12", ["PEN-13"], ME, 9)
    assert refusal.value.code == "not_dropped"


def test_it_is_decided_once():
    with pytest.raises(RuleBroken) as refusal:
        release_dependents(DROPPED._replace(drop_accepted_at=5, drop_accepted_by=ME), "PEN-12", [], ME, 9)
    assert refusal.value.code == "already_released"


def test_reopening_takes_the_decision_back():
    accepted = DROPPED._replace(drop_accepted_at=5, drop_accepted_by=ME)
    reopened, _ = change_state_by_person(accepted, ActionState.TODO, None, 0, NOBODY, 9)
    assert (reopened.drop_accepted_at, reopened.drop_accepted_by) == (None, None)
