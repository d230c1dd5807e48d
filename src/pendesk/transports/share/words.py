"""How a mirror or share is worded for guests."""

from pendesk.operations.sharing.mirror_json import ShownProject
from pendesk.transports.web.parts.labels import ACTION_STATES, PROJECT_STATES

# In the order in which guests see them.
STATUSES = {
    state: ACTION_STATES[state].text
    for state in ("in_progress", "in_review", "todo", "scope", "backlog", "done", "wont_do")
}


def status_word(status: str) -> str:
    """A mirror of another server may have words that are new to this one."""
    return STATUSES.get(status) or (PROJECT_STATES[status].text if status in PROJECT_STATES else status)


def relation_texts_by_action_ref(project: ShownProject) -> dict[str, list[str]]:
    """Ref -> what its action is connected with, in words."""
    links: dict[str, list[str]] = {}
    for link in project.edges:
        links.setdefault(link.from_ref, []).append(f"{link.label.replace('_', ' ')} {link.to_ref}")
    return links
