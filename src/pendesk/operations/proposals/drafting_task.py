"""The action that a draft closes: in review while the draft waits for a person, done once something of it is accepted,
and back in todo with the person's remark when it is rejected.
"""

from pendesk.domain.action import CLOSED, Action, ActionState, action_event
from pendesk.domain.claim import ActionFacts, has_live_lease, is_writable_by_caller
from pendesk.domain.claim_transitions import release_claim
from pendesk.domain.errors import BadField
from pendesk.domain.event_data import ActionMovedData
from pendesk.domain.proposal import ProposalKind
from pendesk.operations.actions.find import find_action, find_and_lock_action
from pendesk.operations.building.claim_guard import save_claim_end, with_relation_to_caller
from pendesk.operations.operation import Call
from pendesk.store import actions, criteria, proposals


def find_drafting_task(call: Call, kind: ProposalKind, project_id: str, task_id: str | None) -> Action | None:
    """The action that the caller names; checked before anything is written."""
    if task_id is None:
        return None
    action = find_action(call, task_id).action
    request = proposals.request_of_action(call.tx, action.id)
    if action.project_id != project_id:
        raise BadField(
            "task_id", "is a task of another project; name the task that asked for this draft, or leave task_id out."
        )
    if action.spec_id is not None or criteria.of_action(call.tx, action.id):
        raise BadField("task_id", "is work to build, not a task that asks for a draft; leave task_id out.")
    if request is not None and request.kind != kind:
        raise BadField("task_id", f"asks for a {request.kind}, not for a {kind}; leave task_id out.")
    return action


def move_drafting_task(call: Call, action_id: str | None, target: ActionState, reason: str | None = None) -> None:
    """The one place that moves it. What another session works on is left to that session."""
    if action_id is None:
        return
    facts = find_and_lock_action(call, action_id)
    if facts.action.state == target or (facts.action.state in CLOSED and target != ActionState.DONE):
        return
    if _is_held_by_other_session(call, facts):
        return
    action = _end_claim(call, facts)
    moved = action._replace(state=target, state_reason=None, updated_at=call.now)
    actions.save_state_and_claim(call.tx, moved)
    event_data = ActionMovedData(before=action.state, after=target, reason=reason)
    call.record(action_event(action, "action.moved", event_data))


def _is_held_by_other_session(call: Call, facts: ActionFacts) -> bool:
    if call.actor.token_id is None or facts.claim is None or not has_live_lease(facts.claim, call.now):
        return False
    return not is_writable_by_caller(with_relation_to_caller(call, facts), None)


def _end_claim(call: Call, facts: ActionFacts) -> Action:
    if facts.claim is None or facts.action.state != ActionState.IN_PROGRESS:
        return facts.action
    save_claim_end(call, facts, release_claim(facts.action, facts.claim, call.now))
    return find_action(call, facts.action.id).action
