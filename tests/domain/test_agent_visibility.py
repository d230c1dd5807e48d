"""What no agent can see, why, and a cure that is not refused."""

import pytest

from pendesk.domain.agent_visibility import Cure, HiddenReason, VisibilityFacts, hidden_from_agents
from pendesk.domain.availability import Availability, NotReadyReason

SEEN = VisibilityFacts(in_active_plan=True, has_criterion=True, by_invitation=True, has_agent=True)
NOT_READY = Availability.NOT_READY


@pytest.mark.parametrize(
    ("reason", "facts", "hidden", "cure"),
    [
        (NotReadyReason.BACKLOG, SEEN, HiddenReason.BACKLOG, Cure.MOVE_TO_TODO),
        (NotReadyReason.SCOPE, SEEN, HiddenReason.SCOPE, Cure.MOVE_TO_TODO),
        (NotReadyReason.PROJECT_NOT_ACTIVE, SEEN, HiddenReason.PROJECT_NOT_ACTIVE, Cure.ACTIVATE_PROJECT),
        (NotReadyReason.UNPUBLISHED, SEEN, HiddenReason.UNPUBLISHED, Cure.PUBLISH_SPEC),
        (
            NotReadyReason.UNPUBLISHED,
            SEEN._replace(has_criterion=False),
            HiddenReason.UNPUBLISHED,
            Cure.ADD_CRITERION,
        ),
        (
            NotReadyReason.UNPUBLISHED,
            SEEN._replace(in_active_plan=False),
            HiddenReason.UNPUBLISHED,
            Cure.ACTIVATE_PLAN,
        ),
        (
            NotReadyReason.NOT_A_PARTICIPANT,
            SEEN._replace(has_agent=False),
            HiddenReason.NO_AGENT,
            Cure.ADD_PARTICIPANTS,
        ),
    ],
)
def test_what_is_not_ready_says_why_and_what_to_do(reason, facts, hidden, cure):
    assert hidden_from_agents(NOT_READY, reason, facts) == (hidden, cure)


def test_what_an_agent_of_somebody_can_claim_is_not_hidden_from_agents():
    assert hidden_from_agents(Availability.FREE, None, SEEN) is None
    assert hidden_from_agents(NOT_READY, NotReadyReason.NOT_A_PARTICIPANT, SEEN) is None


def test_where_everyone_takes_part_an_agent_is_missing_and_not_a_participant():
    nobody = SEEN._replace(has_agent=False, by_invitation=False)
    assert hidden_from_agents(Availability.FREE, None, nobody) == (HiddenReason.NO_AGENT, Cure.CONNECT_AGENT)


@pytest.mark.parametrize("state", sorted(set(Availability) - {Availability.FREE, Availability.NOT_READY}))
def test_what_is_held_waits_or_is_closed_has_a_mark_of_its_own(state):
    assert hidden_from_agents(state, None, SEEN._replace(has_agent=False)) is None
