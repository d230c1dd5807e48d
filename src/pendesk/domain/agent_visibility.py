"""What no agent can see although it looks like work, why, and what a person does about it: one rule for every page.

A cure is never something that would be refused: who has no criterion yet is not told to publish.
"""

from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.availability import Availability, NotReadyReason


class HiddenReason(StrEnum):
    BACKLOG = "backlog"
    SCOPE = "scope"
    UNPUBLISHED = "unpublished"
    PROJECT_NOT_ACTIVE = "project_not_active"
    NO_AGENT = "no_agent"


class Cure(StrEnum):
    MOVE_TO_TODO = "move_to_todo"
    ADD_CRITERION = "add_criterion"
    ACTIVATE_PLAN = "activate_plan"
    PUBLISH_SPEC = "publish_spec"
    ACTIVATE_PROJECT = "activate_project"
    ADD_PARTICIPANTS = "add_participants"
    CONNECT_AGENT = "connect_agent"


class VisibilityFacts(NamedTuple):
    """`has_agent`: somebody who takes part has an agent that may claim. `by_invitation`: it is of a spec, and only who
    is invited takes part there. The plan and the criteria matter only where a spec is not published.
    """

    in_active_plan: bool
    has_criterion: bool
    by_invitation: bool
    has_agent: bool


class Hidden(NamedTuple):
    reason: HiddenReason
    cure: Cure


MAY_BE_HIDDEN = (Availability.FREE, Availability.NOT_READY)
_CURES = {
    NotReadyReason.BACKLOG: Cure.MOVE_TO_TODO,
    NotReadyReason.SCOPE: Cure.MOVE_TO_TODO,
    NotReadyReason.PROJECT_NOT_ACTIVE: Cure.ACTIVATE_PROJECT,
}


def hidden_from_agents(state: Availability, reason: NotReadyReason | None, facts: VisibilityFacts) -> Hidden | None:
    """Of what nobody holds and nothing holds back; that the one who looks takes no part is no reason."""
    if state not in MAY_BE_HIDDEN:
        return None
    if reason == NotReadyReason.UNPUBLISHED:
        return Hidden(HiddenReason.UNPUBLISHED, _publishing_cure(facts))
    if reason in _CURES:
        return Hidden(HiddenReason(reason), _CURES[reason])
    if facts.has_agent:
        return None
    return Hidden(HiddenReason.NO_AGENT, Cure.ADD_PARTICIPANTS if facts.by_invitation else Cure.CONNECT_AGENT)


def _publishing_cure(facts: VisibilityFacts) -> Cure:
    if not facts.in_active_plan:
        return Cure.ACTIVATE_PLAN
    return Cure.PUBLISH_SPEC if facts.has_criterion else Cure.ADD_CRITERION
