"""GET /timeline and /p/{key}/timeline: the one log, and a project played again."""

from typing import Any, get_args

from pendesk.domain.event import EventKind
from pendesk.transports.web.view import Page, View

NOUNS = sorted({kind.partition(".")[0] for kind in get_args(EventKind)})


async def load(view: View) -> dict[str, Any]:
    cursor = view.asked("cursor")
    members = await view.call("list_members")
    told = await view.call(
        "get_timeline",
        project_id=view.request.path_params.get("key"),
        user_pid=view.asked("who"),
        kind=[kind for kind in [view.asked("kind")] if kind],
        model=view.asked("model"),
        cursor=int(cursor) if cursor and cursor.isdigit() else None,
    )
    return {"timeline": told, "members": [(each.user_id, each.name) for each in members.members], "nouns": NOUNS}


async def load_project(view: View) -> dict[str, Any]:
    project = await view.call("get_project", project_id=view.named("key"))
    return {"project": project, "replay": await view.call("get_replay", project_id=project.pid), **await load(view)}


PAGES = [Page("/timeline", "timeline.html", load), Page("/p/{key}/timeline", "project_timeline.html", load_project)]
