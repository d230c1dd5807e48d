"""pendesk verify: is the log still what it was when it was sealed?"""

import re
from typing import Any

import click

from pendesk.cli.parts.console import Console, everywhere, pass_console
from pendesk.cli.parts.local import Local, at_desk

_NOTED = re.compile(r"([0-9]{1,15}):([0-9a-f]{64})\Z")


def _noted(_ctx: click.Context, _parameter: click.Parameter, text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    match = _NOTED.match(text)
    if match is None:
        raise click.BadParameter("give it as verify printed it: NUMBER:HASH")
    return int(match[1]), match[2]


@click.command()
@click.option(
    "--expect",
    metavar="NUMBER:HASH",
    callback=_noted,
    help="A head that an earlier run printed and you kept elsewhere: shows a log that was cut and sealed anew.",
)
@everywhere
@pass_console
def verify(console: Console, expect: tuple[int, str] | None) -> None:
    """Check the log of every change against its seals. Exit 1 if anything was changed, removed or added."""
    with console.progress("Checking the log"):
        told = at_desk(console, lambda local: _verify(local, expect))
    console.answer(told, _text(told))
    if not told["ok"]:
        raise SystemExit(1)


async def _verify(local: Local, expect: tuple[int, str] | None) -> dict[str, Any]:
    from pendesk.operations.timeline import verify_log
    from pendesk.operations.timeline.verify_log import VerifyLog

    verdicts = await local.service.dispatcher.call_as_server(verify_log.OPERATION, VerifyLog(expect))
    workspaces = [
        {
            "workspace": name,
            "events": verdict.events,
            "sealedUpto": verdict.sealed_upto,
            "head": f"{verdict.events}:{verdict.head}",
            "findings": [{"event": finding.seq, "problem": finding.problem} for finding in verdict.findings],
        }
        for _workspace_id, name, verdict in verdicts
    ]
    return {"ok": not any(each["findings"] for each in workspaces), "workspaces": workspaces}


def _text(told: dict[str, Any]) -> str:
    lines = []
    for each in told["workspaces"]:
        unsealed = each["events"] - each["sealedUpto"]
        waiting = f", {unsealed} not sealed yet" if unsealed > 0 else ""
        lines.append(f"{each['workspace']}: {each['events']} events{waiting}. Head {each['head']}")
        lines += [f"  event {finding['event']}: {finding['problem']}" for finding in each["findings"]]
    lines.append("The log is as it was sealed." if told["ok"] else "The log was changed. Compare it with a backup.")
    return "\n".join(lines)
