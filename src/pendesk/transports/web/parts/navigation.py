"""What can be gone to, in the order it is shown. A link is added together with its page, never before."""

from typing import NamedTuple


class Link(NamedTuple):
    """`key` is what is typed to go there, such as "g p"."""

    text: str
    path: str
    icon: str
    key: str = ""


SIDEBAR = [
    Link("Search", "/search", "search", "/"),
    Link("Projects", "/projects", "folder", "g p"),
    Link("Agents", "/agents", "bot", "g a"),
    Link("Timeline", "/timeline", "history", "g t"),
    Link("Insights", "/insights", "activity", "g i"),
]

# In a project: the path goes behind /p/{key}.
PROJECT_TABS = [
    Link("Board", "", "square-kanban", "g b"),
    Link("Flow", "/flow", "network", "g f"),
    Link("List", "/list", "list", "g l"),
    Link("Specs", "/specs", "file-text", "g s"),
    Link("Documents", "/documents", "book-open", "g d"),
    Link("Notes", "/notes", "notebook-pen", "g n"),
    Link("Timeline", "/timeline", "history", ""),
    Link("Insights", "/insights", "activity", ""),
    Link("Settings", "/settings", "settings", ""),
]

SETTINGS = [
    Link("MCP", "/settings/mcp", "plug", "g m"),
    Link("Account", "/settings/account", "circle-user"),
    Link("Members", "/settings/members", "users"),
    Link("Integrations", "/settings/integrations", "webhook"),
    Link("Usage", "/settings/usage", "box"),
]
