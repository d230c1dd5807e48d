"""GET /timeline and /p/{key}/timeline: the one log, what a project brought along, and a project played again."""

from typing import Any, get_args

from pendesk.domain.errors import NotFound
from pendesk.domain.event import EventKind
from pendesk.domain.limits import REPLAY_SHOWN
from pendesk.operations.timeline.get_timeline import Timeline
from pendesk.transports.web.parts.labels import event_noun_label
from pendesk.transports.web.parts.view import Page, View

NOUNS = sorted({kind.partition(".")[0] for kind in get_args(EventKind)})


async def load(view: View) -> dict[str, Any]:
    return {
        "timeline": await _load_timeline(view, view.query_param("project")),
        "history": None,
        **await _load_timeline_filter_options(view),
    }


async def load_project_timeline(view: View) -> dict[str, Any]:
    project = await view.call("get_project", project_id=view.path_param("key"))
    replay = await view.call("get_replay", project_id=project.pid, newest=REPLAY_SHOWN)
    # Imported history follows the log's last page, and has pages of its own.
    timeline = Timeline(events=[]) if view.query_param("imported") else await _load_timeline(view, project.key)
    history = await _load_timeline(view, project.key, imported_only=True) if timeline.next_cursor is None else None
    return {
        "project": project,
        "replay": replay,
        "timeline": timeline,
        "history": history,
        **await _load_timeline_filter_options(view),
    }


async def _load_timeline_filter_options(view: View) -> dict[str, Any]:
    members = (await view.call("list_members")).members
    return {
        "members": [(member.user_id, member.name) for member in members],
        "keys": [(project.key, project.name) for project in view.shell.projects] if view.shell else [],
        "nouns": [(noun, event_noun_label(noun)) for noun in NOUNS],
    }


async def _load_timeline(view: View, project_key: str | None, *, imported_only: bool = False) -> Timeline:
    """Empty for an action that does not exist or is only half typed."""
    ref = view.query_param("action")
    if ref and ref.isdigit() and project_key:
        ref = f"{project_key}-{ref}"
    cursor = view.query_param("imported" if imported_only else "cursor")
    try:
        timeline = await view.call(
            "get_timeline",
            project_id=None if ref else project_key,
            action_pid=ref,
            user_pid=view.query_param("who"),
            kind=view.query_values("kind"),
            model=view.query_param("model"),
            imported=imported_only,
            cursor=int(cursor) if cursor and cursor.isdigit() and len(cursor) < 16 and int(cursor) else None,
        )
    except NotFound:
        if not ref:
            raise
        return Timeline(events=[])
    assert isinstance(timeline, Timeline)
    return timeline


PAGES = [
    Page("/timeline", "timeline.html", load),
    Page("/p/{key}/timeline", "project_timeline.html", load_project_timeline),
]
