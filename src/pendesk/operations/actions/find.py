"""Actions and criteria by what a caller names them with. What cannot be seen is the same as what is not there."""

from pendesk.domain.action import Action
from pendesk.domain.claim import ActionFacts
from pendesk.domain.criterion import Criterion
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.project import Project
from pendesk.ids import parse_id
from pendesk.operations.nearest_refs import nearest_refs
from pendesk.operations.operation import Call
from pendesk.store import actions, criteria


def find_action(call: Call, id_or_ref: str) -> ActionFacts:
    """By pid or ref code; unlike the building tools, planning sees every state."""
    action_id = actions.resolve_id(call.tx, id_or_ref)
    facts = actions.facts(call.tx, action_id) if action_id else None
    if facts is None:
        raise NotFound("action", id_or_ref, nearest_refs(call, id_or_ref, planning=True))
    return facts


def find_and_lock_action(call: Call, id_or_ref: str) -> ActionFacts:
    action_id = actions.resolve_id(call.tx, id_or_ref)
    if action_id is not None:
        actions.lock(call.tx, action_id)
    return find_action(call, id_or_ref)


def find_task_of_project(call: Call, project: Project, task_id_or_ref: str, input_field_for_error: str) -> Action:
    """A task that must be the project's own; `input_field` is what the caller named it in."""
    action = find_action(call, task_id_or_ref).action
    if action.project_id != project.id:
        raise BadField(input_field_for_error, f"is a task of another project; name one of {project.key}.")
    return action


def find_and_lock_criterion(call: Call, criterion_id: str) -> tuple[ActionFacts, Criterion]:
    """A criterion is locked by its action."""
    facts = find_and_lock_action(call, _find_criterion(call, criterion_id).action_id)
    return facts, _find_criterion(call, criterion_id)


def find_criterion_action(call: Call, criterion_id: str) -> Action:
    return find_action(call, _find_criterion(call, criterion_id).action_id).action


def _find_criterion(call: Call, criterion_id: str) -> Criterion:
    pid = parse_id(criterion_id)
    criterion = criteria.by_id(call.tx, pid) if pid else None
    if criterion is None:
        raise NotFound("criterion", criterion_id)
    return criterion
