"""GET /p/{key}/notes and /notes/{note}: short texts of a project."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View


async def load(view: View) -> dict[str, Any]:
    project = await view.call("get_project", project_id=view.path_param("key"))
    page = await view.call("list_notes", project_id=project.pid, cursor=view.query_param("cursor"))
    return {"project": project, "notes": page.notes, "next_cursor": page.next_cursor}


async def load_note(view: View) -> dict[str, Any]:
    note = await view.call("get_note", note_id=view.path_param("note"))
    project = await view.call("get_project", project_id=note.project_id)
    return {"own_address": f"/notes/{note.ref_code or note.pid}", "note": note, "project": project}


PAGES = [
    Page("/p/{key}/notes", "notes.html", load),
    Page("/notes/{note}", "note.html", load_note),
]
