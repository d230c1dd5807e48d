"""pendesk verify: check that the log was not changed since it was sealed."""

import re
from typing import Any

import click

from pendesk.cli.parts.console import Console, common_options, pass_console
from pendesk.cli.parts.local import LocalClient, run_locally

_HEAD = re.compile(r"([0-9]{1,15}):([0-9a-f]{64})\Z")


def _parse_log_seq_and_hash(
    _ctx: click.Context, _parameter: click.Parameter, text: str | None
) -> tuple[int, str] | None:
    if text is None:
        return None
    match = _HEAD.match(text)
    if match is None:
        raise click.BadParameter("enter it as verify printed it: NUMBER:HASH")
    return int(match[1]), match[2]


@click.command()
@click.option(
    "--expect",
    "expected_head",
    metavar="NUMBER:HASH",
    callback=_parse_log_seq_and_hash,
    help="The head that an earlier run printed: detects a log that was cut and sealed again.",
)
@common_options
@pass_console
def verify(console: Console, expected_head: tuple[int, str] | None) -> None:
    """Check that the log is intact. Exit 1 if an event was changed, removed or added since it was sealed."""
    with console.progress("Checking the log"):
        result = run_locally(console, lambda local: _verify_event_log(local, expected_head))
    console.print_result(result, _format_log_verification(result))
    if not result["ok"]:
        raise SystemExit(1)


async def _verify_event_log(local: LocalClient, expected_seq_and_hash: tuple[int, str] | None) -> dict[str, Any]:
    from pendesk.operations.timeline import verify_log
    from pendesk.operations.timeline.verify_log import VerifyLog

    verdicts = await local.service.dispatcher.call_as_server(verify_log.OPERATION, VerifyLog(expected_seq_and_hash))
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
    return {"ok": not any(workspace["findings"] for workspace in workspaces), "workspaces": workspaces}


def _format_log_verification(result: dict[str, Any]) -> str:
    lines = []
    for workspace in result["workspaces"]:
        unsealed = workspace["events"] - workspace["sealedUpto"]
        pending = f", {unsealed} not sealed yet" if unsealed > 0 else ""
        lines.append(f"{workspace['workspace']}: {workspace['events']} events{pending}. Head {workspace['head']}")
        lines += [f"  event {finding['event']}: {finding['problem']}" for finding in workspace["findings"]]
    lines.append("The log is intact." if result["ok"] else "The log was changed. Compare it with a backup.")
    return "\n".join(lines)
