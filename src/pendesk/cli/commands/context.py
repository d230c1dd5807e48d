"""pendesk context: the state of the work, for hooks at the start of a session. It never fails and is never slow.

Run by a hook at the end of a session, it reports the end: a terminal has closed its connection by then, and cannot.
"""

import json
import threading
from typing import Any

import click

from pendesk.cli.binding.session_hooks import SESSION_END, TOOL
from pendesk.cli.parts.agent_marks import find_agent_marks
from pendesk.cli.parts.console import Console, common_options, pass_console, replace_control_chars
from pendesk.cli.parts.hook_input import read_hook_input
from pendesk.cli.parts.target_server import find_target_server, repo_option

LIMIT_S = 2.0
MAX_CHARS = 2_000


@click.command()
@repo_option
@common_options
@pass_console
def context(console: Console, repo: str | None) -> None:
    """Show the state of the work. Lists the actions you hold, open questions and what to claim next, or the
    next task. Run by a hook at the end of a session, it reports the end. Always exits 0, within 2 seconds.
    """
    state: dict[str, Any] = {"reachable": False, "problem": f"no answer within {LIMIT_S:.0f} s"}
    # The limit covers everything: finding the folder, resolving the name, a server that sends byte by byte.
    thread = threading.Thread(target=_fetch_work_context_into, args=(repo, state), daemon=True)
    thread.start()
    thread.join(LIMIT_S)
    result = dict(state)
    click.echo(
        json.dumps(result) if console.as_json else replace_control_chars(_format_work_context(result))[:MAX_CHARS]
    )


def _fetch_work_context_into(repo: str | None, result: dict[str, Any]) -> None:
    try:
        # At the start of a session the client says which one it is: the server joins that to its process.
        hook_input = read_hook_input()
        target = find_target_server(repo, LIMIT_S, marks=find_agent_marks(hook_input))
        if hook_input.get("hook_event_name") == SESSION_END:
            end = {"event": SESSION_END, "session": hook_input["session_id"]}
            target.remote.call_tool(TOOL, end)
            result.update({"reachable": True, "problem": None, "url": target.url, "ended": True})
            return
        context = target.remote.get("/api/v1/context", project_id=target.project)
        result.update({"reachable": True, "problem": None, "url": target.url, **context})
    except Exception as error:  # a hook that fails would disturb its session
        result["problem"] = str(getattr(error, "message", error))


def _format_work_context(context: dict[str, Any]) -> str:
    if not context["reachable"]:
        return f"Pendesk: {context['problem']}"
    if context.get("ended"):
        return "Pendesk: the end of the session is reported."
    project = context["project"]
    where = f"project {project['key']} ({project['name']})" if project else f"workspace {context['workspace']}"
    lines = [f"Pendesk, {where}. You work as {context['userName']}; the conventions are in .pendesk/skill.md."]
    for action in context["held"]:
        lines += _held_lines("You hold", action)
    for action in context.get("mayHold", ()):
        lines += _held_lines("You or another terminal of yours holds", action)
        lines.append("  If it was this conversation, go on with it; if not, leave it.")
    lines += [*_rework_lines(context), *_next_lines(context), *_next_task_lines(context)]
    return "\n".join(lines)


def _held_lines(words: str, action: dict[str, Any]) -> list[str]:
    until = f" until {action['expiresAt'][:16]}Z" if action["expiresAt"] else ""
    held = f"{words} {action['refCode']}{until}: {_shorten_to_one_line(action['label'])}"
    return [held, *(f"  Open question: {_shorten_to_one_line(question)}" for question in action["openQuestions"])]


def _rework_lines(context: dict[str, Any]) -> list[str]:
    return [
        f"{action['requestedBy']} requested changes of {action['refCode']} ({_shorten_to_one_line(action['label'])}): "
        f"{_shorten_to_one_line(action['request'])} Claim it before anything new."
        for action in context.get("changesRequested", ())
    ]


def _next_lines(context: dict[str, Any]) -> list[str]:
    upcoming = context["next"]
    if upcoming is None:
        return [context["notice"]] if "notice" in context else []
    text = f"{upcoming['refCode']}: {_shorten_to_one_line(upcoming['label'])}"
    if not context["you"]["slots"]:
        return [f"{text} is free, but all your claims are in use: submit or release one first."]
    return [f"Claim next: {text}"]


def _next_task_lines(context: dict[str, Any]) -> list[str]:
    """Not again what was named as the next to claim."""
    task, claimable = context.get("nextTask"), context["next"]
    if task is None or (claimable is not None and claimable["pid"] == task["pid"]):
        return []
    return [
        f"Next task: {task['refCode']}: {_shorten_to_one_line(task['label'])} (get_next_task with take: true takes it)"
    ]


def _shorten_to_one_line(text: str) -> str:
    return " ".join(text.split())[:200]
