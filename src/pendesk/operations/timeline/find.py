"""What the filters of the log name."""

from pendesk.domain.errors import BadField
from pendesk.operations.operation import Call
from pendesk.operations.planning.find import find_action, find_project


def find_subject(call: Call, project: str | None, action: str | None) -> tuple[str | None, str | None]:
    """The ids of the project or of the action, of which one at most is named."""
    if project is not None and action is not None:
        raise BadField("action_pid", "give either project_id or action_pid, not both.")
    project_id = find_project(call, project).id if project is not None else None
    action_id = find_action(call, action).action.id if action is not None else None
    return project_id, action_id
