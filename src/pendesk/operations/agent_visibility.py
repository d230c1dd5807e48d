"""Which of many actions no agent can see, as boards, lists and the page of an action say it."""

from collections.abc import Collection

from pendesk.domain.agent_visibility import MAY_BE_HIDDEN, VisibilityFacts, hidden_from_agents
from pendesk.domain.availability import NotReadyReason
from pendesk.operations.availability import RelatedAction
from pendesk.operations.operation import Call, Output
from pendesk.store import agent_visibility, participants


class HiddenFromAgents(Output):
    """Why no agent can see it: backlog, scope, unpublished, project_not_active or no_agent (nobody who takes part has
    one). cure: move_to_todo, add_criterion, activate_plan, publish_spec, activate_project, add_participants or
    connect_agent.
    """

    reason: str
    cure: str


def hidden_by_action_id(call: Call, actions: Collection[RelatedAction]) -> dict[str, HiddenFromAgents]:
    """Only those that are hidden."""
    unheld = [action for action in actions if action.availability in MAY_BE_HIDDEN]
    if not unheld:
        return {}
    facts = _facts_by_action_id(call, unheld)
    marks = {
        action.standing.id: hidden_from_agents(action.availability, action.reason, facts[action.standing.id])
        for action in unheld
    }
    return {ident: HiddenFromAgents(reason=mark.reason, cure=mark.cure) for ident, mark in marks.items() if mark}


def _facts_by_action_id(call: Call, actions: Collection[RelatedAction]) -> dict[str, VisibilityFacts]:
    unpublished = [action.standing.id for action in actions if action.reason == NotReadyReason.UNPUBLISHED]
    plan_and_criterion = agent_visibility.in_active_plan_and_has_criterion_by_id(call.tx, unpublished)
    everyone = participants.does_everyone_take_part(call.tx)
    any_agent = agent_visibility.has_any_agent(call.tx)
    spec_ids = {action.standing.spec_id for action in actions if action.standing.spec_id}
    with_agent = agent_visibility.spec_ids_with_invited_agent(call.tx, sorted(spec_ids)) if not everyone else set()

    def facts(action: RelatedAction) -> VisibilityFacts:
        spec_id = action.standing.spec_id
        in_active_plan, has_criterion = plan_and_criterion.get(action.standing.id, (True, True))
        by_invitation = spec_id is not None and not everyone
        has_agent = spec_id in with_agent if by_invitation else any_agent
        return VisibilityFacts(in_active_plan, has_criterion, by_invitation, has_agent)

    return {action.standing.id: facts(action) for action in actions}
