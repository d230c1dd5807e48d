"""Projects and goals by what a caller names them with. What cannot be seen is the same as what is not there."""

from pendesk.domain.errors import NotFound
from pendesk.domain.project import Goal, Project
from pendesk.ids import parse_id
from pendesk.operations.nearest_refs import nearest_project_keys
from pendesk.operations.operation import Call
from pendesk.store import projects


def find_project(call: Call, id_or_key: str) -> Project:
    """By pid or key."""
    pid = parse_id(id_or_key)
    project = projects.by_id(call.tx, pid) if pid else projects.by_key(call.tx, id_or_key.strip().upper())
    if project is None:
        raise NotFound("project", id_or_key, nearest_project_keys(call, id_or_key))
    return project


def find_and_lock_project(call: Call, id_or_key: str) -> Project:
    projects.lock(call.tx, find_project(call, id_or_key).id)
    return find_project(call, id_or_key)


def find_goal(call: Call, goal_id: str, project: Project) -> Goal:
    pid = parse_id(goal_id)
    goal = projects.goal_by_id(call.tx, pid) if pid else None
    if goal is None or goal.project_id != project.id:
        raise NotFound(f"goal of {project.key}", goal_id)
    return goal


def find_and_lock_goal(call: Call, goal_id: str) -> Goal:
    """A goal is locked by its project."""
    pid = parse_id(goal_id)
    goal = projects.goal_by_id(call.tx, pid) if pid else None
    if goal is None:
        raise NotFound("goal", goal_id)
    return find_goal(call, goal.id, find_and_lock_project(call, goal.project_id))
