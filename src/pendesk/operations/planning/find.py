"""Reaching records by what a caller names them with. What cannot be seen is the same as what is not there.

The `lock_` ones hold the row until the commit and read it afterwards. Order: project, spec, action.
"""

from pendesk.domain.action import Action
from pendesk.domain.comment import Comment
from pendesk.domain.criterion import Criterion
from pendesk.domain.document import Document, Note
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.inbox import InboxItem
from pendesk.domain.project import Goal, Plan, Project, Spec
from pendesk.domain.run import AgentRun
from pendesk.ids import parse_id
from pendesk.operations.operation import Call
from pendesk.store import actions, comments, criteria, documents, inbox, notes, plans, projects, runs, specs
from pendesk.store.actions import Standing


def find_project(call: Call, ident: str) -> Project:
    """By pid or key."""
    pid = parse_id(ident)
    project = projects.by_id(call.tx, pid) if pid else projects.by_key(call.tx, ident.strip().upper())
    if project is None:
        raise NotFound("project", ident)
    return project


def lock_project(call: Call, ident: str) -> Project:
    projects.lock(call.tx, find_project(call, ident).id)
    return find_project(call, ident)


def find_goal(call: Call, ident: str, project: Project) -> Goal:
    pid = parse_id(ident)
    goal = projects.goal(call.tx, pid) if pid else None
    if goal is None or goal.project_id != project.id:
        raise NotFound(f"goal of {project.key}", ident)
    return goal


def lock_goal(call: Call, ident: str) -> Goal:
    """A goal is locked by its project."""
    pid = parse_id(ident)
    goal = projects.goal(call.tx, pid) if pid else None
    if goal is None:
        raise NotFound("goal", ident)
    return find_goal(call, goal.id, lock_project(call, goal.project_id))


def find_spec(call: Call, ident: str) -> Spec:
    pid = parse_id(ident)
    spec = specs.by_id(call.tx, pid) if pid else None
    if spec is None:
        raise NotFound("spec", ident)
    return spec


def lock_spec(call: Call, ident: str) -> Spec:
    pid = parse_id(ident)
    if pid is not None:
        specs.lock(call.tx, pid)
    return find_spec(call, ident)


def find_plan(call: Call, ident: str) -> Plan:
    pid = parse_id(ident)
    plan = plans.by_id(call.tx, pid) if pid else None
    if plan is None:
        raise NotFound("plan", ident)
    return plan


def lock_plan(call: Call, ident: str) -> tuple[Plan, Spec]:
    """A plan is locked by its spec."""
    spec = lock_spec(call, find_plan(call, ident).spec_id)
    return find_plan(call, ident), spec


def find_action(call: Call, ident: str) -> Standing:
    """By pid or ref code; unlike the building tools, planning sees every state."""
    action_id = actions.resolve(call.tx, ident)
    standing = actions.standing(call.tx, action_id) if action_id else None
    if standing is None:
        raise NotFound("action", ident)
    return standing


def lock_action(call: Call, ident: str) -> Standing:
    action_id = actions.resolve(call.tx, ident)
    if action_id is not None:
        actions.lock(call.tx, action_id)
    return find_action(call, ident)


def find_task_of(call: Call, project: Project, ident: str, field: str) -> Action:
    """A task that must be the project's own; `field` is what the caller named it in."""
    action = find_action(call, ident).action
    if action.project_id != project.id:
        raise BadField(field, f"is a task of another project; name one of {project.key}.")
    return action


def lock_criterion(call: Call, ident: str) -> tuple[Standing, Criterion]:
    """A criterion is locked by its action."""
    standing = lock_action(call, _criterion(call, ident).action_id)
    return standing, _criterion(call, ident)


def _criterion(call: Call, ident: str) -> Criterion:
    pid = parse_id(ident)
    criterion = criteria.by_id(call.tx, pid) if pid else None
    if criterion is None:
        raise NotFound("criterion", ident)
    return criterion


def find_document(call: Call, ident: str) -> Document:
    pid = parse_id(ident)
    document = documents.by_id(call.tx, pid) if pid else None
    if document is None:
        raise NotFound("document", ident)
    return document


def lock_document(call: Call, ident: str) -> Document:
    documents.lock(call.tx, find_document(call, ident).id)
    return find_document(call, ident)


def find_note(call: Call, ident: str) -> Note:
    pid = parse_id(ident)
    note = notes.by_id(call.tx, pid) if pid else None
    if note is None:
        raise NotFound("note", ident)
    return note


def lock_note(call: Call, ident: str) -> Note:
    notes.lock(call.tx, find_note(call, ident).id)
    return find_note(call, ident)


def lock_comment(call: Call, ident: str) -> Comment:
    pid = parse_id(ident)
    if pid is not None:
        comments.lock(call.tx, pid)
    comment = comments.by_id(call.tx, pid) if pid else None
    if comment is None:
        raise NotFound("comment", ident)
    return comment


def lock_run(call: Call, ident: str) -> AgentRun:
    pid = parse_id(ident)
    if pid is not None:
        runs.lock(call.tx, pid)
    run = runs.by_id(call.tx, pid) if pid else None
    if run is None:
        raise NotFound("agent run", ident)
    return run


def lock_submission(call: Call, ident: str) -> InboxItem:
    """The project is locked before it: accepting takes a ref number, and the project always comes first."""
    pid = parse_id(ident)
    item = inbox.by_id(call.tx, pid) if pid else None
    if item is None:
        raise NotFound("submission", ident)
    projects.lock(call.tx, item.project_id)
    inbox.lock(call.tx, item.id)
    return inbox.by_id(call.tx, item.id) or item
