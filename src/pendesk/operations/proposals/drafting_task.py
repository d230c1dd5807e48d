"""The action that a draft closes: in review while the draft waits for a person, done once something of it is accepted,
and back in todo with the person's remark when it is rejected.
"""

from pendesk.domain.action import CLOSED, Action, ActionState
from pendesk.domain.errors import BadField
from pendesk.domain.proposal import ProposalKind
from pendesk.domain.task_moves import is_held_by_other, move_task
from pendesk.operations.actions.change_state import save_task_move
from pendesk.operations.actions.find import find_action, find_and_lock_action
from pendesk.operations.building.claim_guard import with_relation_to_caller
from pendesk.operations.operation import Call
from pendesk.store import proposals


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
    if request is None:
        raise BadField("task_id", "is work to do, not a task that asks for a draft; leave task_id out.")
    if request.kind != kind:
        raise BadField("task_id", f"asks for a {request.kind}, not for a {kind}; leave task_id out.")
    return action


def move_drafting_task(call: Call, action_id: str | None, target: ActionState, reason: str | None = None) -> None:
    """The one place that moves it. What another session works on is left to that session."""
    if action_id is None:
        return
    facts = find_and_lock_action(call, action_id)
    if facts.action.state == target or (facts.action.state in CLOSED and target != ActionState.DONE):
        return
    facts = with_relation_to_caller(call, facts)
    if call.actor.token_id is not None and is_held_by_other(facts, call.now):
        return
    save_task_move(call, facts, move_task(facts, target, reason, call.now))
