"""What can be gone to, in the order it is shown. A link is added together with its page, never before."""

from typing import NamedTuple


class Link(NamedTuple):
    """`key` is what is typed to go there, such as "g p"."""

    text: str
    path: str
    icon: str
    key: str = ""


RAIL = [
    Link("Projects", "/projects", "folder", "g p"),
]

# In a project: the path goes behind /p/{key}.
PROJECT_TABS = [
    Link("Board", "", "square-kanban", "g b"),
]

SETTINGS: list[Link] = []
