"""GET /p/{key}/notes and /notes/{note}: short texts of a project."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    project = await view.call("get_project", project_id=view.named("key"))
    found = await view.call("list_notes", project_id=project.pid, cursor=view.asked("cursor"))
    return {"project": project, "notes": found.notes, "next_cursor": found.next_cursor}


async def load_one(view: View) -> dict[str, Any]:
    note = await view.call("get_note", note_id=view.named("note"))
    return {"note": note, "project": await view.call("get_project", project_id=note.project_id)}


PAGES = [
    Page("/p/{key}/notes", "notes.html", load),
    Page("/notes/{note}", "note.html", load_one),
]
