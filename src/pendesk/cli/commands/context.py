"""pendesk context: the state of the work, for hooks at the start of a session. It never fails and is never slow."""

import json
import threading
from typing import Any

import click

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
    """Show the state of the work. Lists the actions you hold, open questions and what to claim next. Always exits 0,
    within 2 seconds.
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
        target = find_target_server(repo, LIMIT_S, marks=find_agent_marks(read_hook_input()))
        context = target.remote.get("/api/v1/context", project_id=target.project)
        result.update({"reachable": True, "problem": None, "url": target.url, **context})
    except Exception as error:  # a hook that fails would disturb its session
        result["problem"] = str(getattr(error, "message", error))


def _format_work_context(context: dict[str, Any]) -> str:
    if not context["reachable"]:
        return f"Pendesk: {context['problem']}"
    project = context["project"]
    where = f"project {project['key']} ({project['name']})" if project else f"workspace {context['workspace']}"
    lines = [f"Pendesk, {where}. You work as {context['userName']}; the conventions are in .pendesk/skill.md."]
    for held in context["held"]:
        lines.append(
            f"You hold {held['refCode']} until {held['expiresAt'][:16]}Z: {_shorten_to_one_line(held['label'])}"
        )
        lines += [f"  Open question: {_shorten_to_one_line(question)}" for question in held["openQuestions"]]
    upcoming = context["next"]
    if upcoming is not None:
        lines.append(f"Claim next: {upcoming['refCode']}: {_shorten_to_one_line(upcoming['label'])}")
    elif not context["held"]:
        lines.append("There is nothing to claim now.")
    return "\n".join(lines)


def _shorten_to_one_line(text: str) -> str:
    return " ".join(text.split())[:200]
