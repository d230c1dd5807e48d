"""Projects and goals, as operations answer with them."""

from pendesk.clock import to_iso
from pendesk.domain.project import Goal, Project
from pendesk.operations.operation import Output
from pendesk.operations.truncate import Truncatable


class ProjectResult(Truncatable):
    pid: str
    key: str
    name: str
    description: str
    state: str
    repository_url: str | None
    revision: int
    created_at: str
    updated_at: str
    require_evidence: bool


class GoalResult(Output):
    pid: str
    project_id: str
    title: str
    description: str
    position: int
    revision: int


def project_result(project: Project) -> ProjectResult:
    return ProjectResult(
        pid=project.id,
        key=project.key,
        name=project.name,
        description=project.description,
        state=project.state,
        repository_url=project.repository_url,
        revision=project.revision,
        created_at=to_iso(project.created_at),
        updated_at=to_iso(project.updated_at),
        require_evidence=bool(project.require_evidence),
    )


def goal_result(goal: Goal) -> GoalResult:
    return GoalResult(
        pid=goal.id,
        project_id=goal.project_id,
        title=goal.title,
        description=goal.description,
        position=goal.position,
        revision=goal.revision,
    )
