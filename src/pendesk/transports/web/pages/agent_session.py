"""GET /agents/{agent_session}: what one session of an agent does and holds, its steps and the messages to it."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View

STEPS_SHOWN = 50
STEPS_MOST = 500


async def load(view: View) -> dict[str, Any]:
    session_id = view.path_param("agent_session")
    shown = _shown_steps(view)
    session, steps, has_more = await load_session(view, session_id, shown)
    messages = await view.call("list_messages", agent_session_id=session_id)
    return {
        "session": session,
        "steps": steps,
        "more_url": view.url_with(steps=str(shown + STEPS_SHOWN)) if has_more and shown < STEPS_MOST else None,
        "messages": messages.messages,
    }


async def load_session(view: View, session_id: str, steps_shown: int) -> tuple[Any, list[Any], bool]:
    """The session, so many of its newest steps, and whether there are more."""
    session = await view.call("get_session_activity", agent_session_id=session_id)
    steps, cursor = list(session.steps), session.next_cursor
    while cursor is not None and len(steps) < steps_shown:
        page = await view.call("get_session_activity", agent_session_id=session_id, cursor=cursor)
        steps, cursor = steps + page.steps, page.next_cursor
    return session, steps[:steps_shown], cursor is not None or len(steps) > steps_shown


def _shown_steps(view: View) -> int:
    number = view.query_param("steps") or ""
    return max(1, min(int(number), STEPS_MOST)) if number.isdecimal() else STEPS_SHOWN


PAGE = Page("/agents/{agent_session}", "agent_session.html", load)
