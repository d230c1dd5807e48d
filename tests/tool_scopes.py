"""The scope of every tool, by name."""

from pendesk.domain.access import Scope
from pendesk.operations.registry import TOOLS

SCOPE_BY_TOOL = {
    "list_tasks": Scope.DESK_READ,
    "get_task": Scope.DESK_READ,
    "search": Scope.DESK_READ,
    "remove_edge": Scope.DESK_WRITE,
    "draft_spec": Scope.SPECS_WRITE,
    "draft_plan": Scope.SPECS_WRITE,
    "get_draft": Scope.SPECS_WRITE,
    **{tool.name: tool.scope for tool in TOOLS},
}
