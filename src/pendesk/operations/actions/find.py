"""Actions and criteria by what a caller names them with. What cannot be seen is the same as what is not there."""

from pendesk.domain.action import Action
from pendesk.domain.claim import ActionFacts
from pendesk.domain.criterion import Criterion
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.project import Project
from pendesk.ids import parse_id
from pendesk.operations.operation import Call
from pendesk.store import actions, criteria


def find_action(call: Call, ident: str) -> ActionFacts:
    """By pid or ref code; unlike the building tools, planning sees every state."""
    action_id = actions.resolve_id(call.tx, ident)
    facts = actions.facts(call.tx, action_id) if action_id else None
    if facts is None:
        raise NotFound("action", ident)
    return facts


def find_and_lock_action(call: Call, ident: str) -> ActionFacts:
    action_id = actions.resolve_id(call.tx, ident)
    if action_id is not None:
        actions.lock(call.tx, action_id)
    return find_action(call, ident)


def find_project_task(call: Call, project: Project, ident: str, field: str) -> Action:
    """A task that must be the project's own; `field` is what the caller named it in."""
    action = find_action(call, ident).action
    if action.project_id != project.id:
        raise BadField(field, f"is a task of another project; name one of {project.key}.")
    return action


def find_and_lock_criterion(call: Call, ident: str) -> tuple[ActionFacts, Criterion]:
    """A criterion is locked by its action."""
    facts = find_and_lock_action(call, _find_criterion(call, ident).action_id)
    return facts, _find_criterion(call, ident)


def _find_criterion(call: Call, ident: str) -> Criterion:
    pid = parse_id(ident)
    criterion = criteria.by_id(call.tx, pid) if pid else None
    if criterion is None:
        raise NotFound("criterion", ident)
    return criterion
