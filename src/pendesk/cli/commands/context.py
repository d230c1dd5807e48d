"""pendesk context: where the work stands, for hooks at the start of a session. It never fails and never takes long."""

import json
import threading
from typing import Any

import click

from pendesk.cli.parts.console import Console, everywhere, pass_console, plain
from pendesk.cli.parts.target_server import bound_server, repo_option

LIMIT_S = 2.0
MOST_CHARS = 2_000


@click.command()
@repo_option
@everywhere
@pass_console
def context(console: Console, repo: str | None) -> None:
    """Say what the agent holds, what is open and what comes next. Always exits 0, within 2 seconds."""
    told: dict[str, Any] = {"reachable": False, "problem": f"no answer within {LIMIT_S:.0f} s"}
    # The limit holds for everything: finding the folder, looking up the name, a server that sends byte by byte.
    thread = threading.Thread(target=_ask, args=(repo, told), daemon=True)
    thread.start()
    thread.join(LIMIT_S)
    answer = dict(told)
    click.echo(json.dumps(answer) if console.as_json else plain(_text(answer))[:MOST_CHARS])


def _ask(repo: str | None, told: dict[str, Any]) -> None:
    try:
        bound = bound_server(repo, LIMIT_S)
        found = bound.remote.get("/api/v1/context", project_id=bound.project)
        told.update({"reachable": True, "problem": None, "url": bound.url, **found})
    except Exception as error:  # a hook that fails would disturb the session it belongs to
        told["problem"] = str(getattr(error, "message", error))


def _text(told: dict[str, Any]) -> str:
    if not told["reachable"]:
        return f"Pendesk: {told['problem']}"
    project = told["project"]
    where = f"project {project['key']} ({project['name']})" if project else f"workspace {told['workspace']}"
    lines = [f"Pendesk, {where}. You work as {told['userName']}; the conventions are in .pendesk/skill.md."]
    for held in told["held"]:
        lines.append(f"You hold {held['refCode']} until {held['expiresAt'][:16]}Z: {_line(held['label'])}")
        lines += [f"  open question: {_line(question)}" for question in held["openQuestions"]]
    upcoming = told["next"]
    if upcoming is not None:
        lines.append(f"Next to claim: {upcoming['refCode']}: {_line(upcoming['label'])}")
    elif not told["held"]:
        lines.append("Nothing can be claimed now.")
    return "\n".join(lines)


def _line(text: str) -> str:
    return " ".join(text.split())[:200]
