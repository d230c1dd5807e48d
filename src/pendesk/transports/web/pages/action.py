"""GET /a/{ref}: one action, in a drawer over the board of its project. Its address opens cold to the same view."""

from typing import Any

from pendesk.domain.action import WITH_AGENT, ActionState
from pendesk.transports.web.pages.agent_session import load_session
from pendesk.transports.web.pages.board import load_assignables, load_board
from pendesk.transports.web.parts.comment_thread import load_comments
from pendesk.transports.web.parts.view import Page, View

DEEDS_SHOWN = 30
STEPS_SHOWN = 5


async def load(view: View) -> dict[str, Any]:
    action = await view.call("get_action", action_id=view.path_param("ref"))
    project = await view.call("get_project", project_id=action.project_id)
    data = {
        "action": action,
        "project": project,
        "deeds": await _load_events(view, action.pid),
        "specs": await _load_target_specs(view, action),
        "comments": await load_comments(view, action.project_id, action.pid),
        "watch": await view.call("list_watchers", object_id=action.pid),
        "messages": (await view.call("list_messages", action_pid=action.pid)).messages,
        **await _load_holder(view, action),
    }
    if view.is_fragment:
        data["assignables"] = await load_assignables(view)
    if not view.is_full_page:
        return data
    return data | await load_board(view, project.key)


async def _load_holder(view: View, action: Any) -> dict[str, Any]:
    """The agent session that works on it, with its last steps."""
    if action.activity is None:
        return {"holder": None, "steps": []}
    session, steps, _has_more = await load_session(view, action.activity.session_pid, STEPS_SHOWN)
    return {"holder": session, "steps": steps}


async def _load_target_specs(view: View, action: Any) -> list[tuple[str, str]]:
    """Where it can be moved; while an agent has it, nowhere."""
    if ActionState(action.state) in WITH_AGENT:
        return []
    specs = (await view.call("list_specs", project_id=action.project_id)).specs
    return [(spec.pid, spec.title) for spec in specs]


async def _load_events(view: View, action_pid: str) -> list[Any]:
    """The newest events, followed by those that came with an import."""
    recent = (await view.call("get_timeline", action_pid=action_pid, limit=DEEDS_SHOWN)).events
    left = DEEDS_SHOWN - len(recent)
    imported = (
        (await view.call("get_timeline", action_pid=action_pid, imported=True, limit=left)).events if left else []
    )
    return [*recent, *imported]


PAGE = Page("/a/{ref}", "action.html", load)
