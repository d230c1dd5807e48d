"""What the removal of a member ends or transfers, shown in a terminal before it is confirmed."""

import sys
from collections.abc import Iterable
from typing import Any

import click

from pendesk.cli.parts.console import CommandError, Console, replace_control_chars
from pendesk.cli.parts.local import run_locally
from pendesk.domain.ownership import WORDS, describe_credential_and_claim_counts, describe_owned_counts

DONE = {"end": "Ended", "hand_over": "Handed over"}
PLANNED = {"end": "Ends", "hand_over": "Handed over"}

hand_over_option = click.option(
    "--hand-over-to", "successor", metavar="EMAIL|ID", help="Who gets what they own [it ends]."
)


def format_ended_or_transferred_items(items: Iterable[dict[str, Any]], label_by_outcome: dict[str, str]) -> list[str]:
    return [
        f"  {label_by_outcome[item['outcome']]}: {WORDS[item['kind']][0]} {item['name']}"
        + _format_token_and_claim_counts_of_agent(item)
        for item in items
    ]


def _format_token_and_claim_counts_of_agent(agent: dict[str, Any]) -> str:
    """What ends together with it."""
    counts = [(agent.get(name, 0), name) for name in ("tokens", "claims")]
    counted = ", ".join(f"{count} {name if count != 1 else name[:-1]}" for count, name in counts if count)
    return f" ({counted})" if counted else ""


def confirm_member_removal(console: Console, member: str, successor: str | None) -> None:
    preview = run_locally(console, lambda local: local.call("preview_removal", user_pid=member, hand_over_to=successor))
    name, own = preview["member"]["name"], describe_credential_and_claim_counts(**preview["own"])
    ends = f", and these stop working: {own}" if own else ""
    lines = [f"{name} loses access immediately{ends}. What they wrote and did stays."]
    if preview["owned"]:
        lines.append(f"They own {describe_owned_counts(item['kind'] for item in preview['owned'])}:")
    lines += format_ended_or_transferred_items(preview["owned"], PLANNED)
    if successor is None and any(not item.get("alwaysEnds") for item in preview["owned"]):
        lines.append("To hand it over to another member, run this again with --hand-over-to EMAIL|ID.")
    click.echo(replace_control_chars("\n".join(lines)), err=True)
    if not sys.stdin.isatty():
        raise CommandError("There is no terminal to confirm in, so nothing was changed. Run it again with --yes.")
    if not click.confirm(f"Remove {replace_control_chars(name)}?", err=True):
        raise CommandError("Nothing was changed.")
