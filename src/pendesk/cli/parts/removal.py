"""What a removal would take along, shown in a terminal before it is confirmed."""

import sys
from collections.abc import Iterable
from typing import Any

import click

from pendesk.cli.parts.console import Console, Failure, plain
from pendesk.cli.parts.local import at_desk
from pendesk.domain.ownership import WORDS, count_words, own_words

DONE = {"end": "Ended", "hand_over": "Handed over"}
WOULD = {"end": "Ends", "hand_over": "Handed over"}

hand_over_to = click.option(
    "--hand-over-to", "heir", metavar="EMAIL|ID", help="Who takes over what they own [it ends]."
)


def owned_lines(owned: Iterable[dict[str, Any]], words: dict[str, str]) -> list[str]:
    return [
        f"  {words[thing['outcome']]}: {WORDS[thing['kind']][0]} {thing['name']}{_beside(thing)}" for thing in owned
    ]


def _beside(thing: dict[str, Any]) -> str:
    """What goes with an agent."""
    counts = [(thing.get(name, 0), name) for name in ("tokens", "claims")]
    with_it = ", ".join(f"{many} {name if many != 1 else name[:-1]}" for many, name in counts if many)
    return f" ({with_it})" if with_it else ""


def confirm_removal(console: Console, member: str, heir: str | None) -> None:
    shown = at_desk(console, lambda local: local.call("preview_removal", user_pid=member, hand_over_to=heir))
    name, own = shown["member"]["name"], own_words(**shown["own"])
    ends = f", and what is in their own name stops working: {own}" if own else ""
    lines = [f"{name} loses access at once{ends}. What they wrote and did stays."]
    if shown["owned"]:
        lines.append(f"They own {count_words(thing['kind'] for thing in shown['owned'])}:")
    lines += owned_lines(shown["owned"], WOULD)
    if heir is None and any(not thing.get("alwaysEnds") for thing in shown["owned"]):
        lines.append("To give it to somebody else, run this again with --hand-over-to EMAIL|ID.")
    click.echo(plain("\n".join(lines)), err=True)
    if not sys.stdin.isatty():
        raise Failure("Nothing was changed, since there is no terminal to confirm on. Run it again with --yes.")
    if not click.confirm(f"Remove {plain(name)}?", err=True):
        raise Failure("Nothing was changed.")
