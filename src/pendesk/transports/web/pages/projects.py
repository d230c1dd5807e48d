"""GET /projects: what this workspace works on."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View

SOURCES = [
    ("", "Pendesk", "A Pendesk export, such as HRB.pendesk.jsonl"),
    ("backlog", "Backlog.md", "A .zip archive of the folder that contains tasks/"),
    ("taskmaster", "Task Master", "tasks.json"),
    ("plandesk", "Plan Desk", "A Plan Desk export (.json)"),
    ("github", "GitHub issues", "The output of gh issue list --json, saved as a .json file"),
]


async def load(view: View) -> dict[str, Any]:
    page = await view.call("list_project_cards", cursor=view.query_param("cursor"))
    return {
        "projects": page.projects,
        "next_cursor": page.next_cursor,
        "import_sources": [(source, name) for source, name, _hint in SOURCES],
        "import_hints": [(source, hint) for source, _name, hint in SOURCES],
    }


PAGE = Page("/projects", "projects.html", load)
