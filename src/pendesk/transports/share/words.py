"""How a picture is said to people from outside."""

from pendesk.operations.sharing.mirror_json import ShownProject

STATUSES = {
    "in_progress": "In progress",
    "in_review": "In review",
    "todo": "To do",
    "scope": "Being designed",
    "backlog": "Ideas",
    "done": "Done",
    "wont_do": "Dropped",
}
PROJECT_STATES = {
    "draft": "Draft",
    "active": "Active",
    "paused": "Paused",
    "complete": "Complete",
    "archived": "Archived",
}


def status_word(status: str) -> str:
    """A picture of another server may have words that are new to this one."""
    return STATUSES.get(status) or PROJECT_STATES.get(status) or status


def links_of(project: ShownProject) -> dict[str, list[str]]:
    """Ref -> what its action is connected with, in words."""
    found: dict[str, list[str]] = {}
    for link in project.edges:
        found.setdefault(link.from_ref, []).append(f"{link.label.replace('_', ' ')} {link.to_ref}")
    return found
