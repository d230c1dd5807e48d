"""pendesk token: what lets agents in."""

import click

from pendesk.cli.parts.console import Console, acting_as, days_option, everywhere, pass_console, table
from pendesk.cli.parts.local import at_desk

SCOPES = ["specs.read", "builds.write", "desk.read", "desk.write"]


@click.group()
@everywhere
def token() -> None:
    """Create, list and revoke tokens for agents."""


@token.command()
@click.option("--name", required=True, help='What it is for, such as "Claude Code".')
@click.option("--scope", "scopes", multiple=True, type=click.Choice(SCOPES), help="[specs.read builds.write]")
@days_option("--expires", "Such as 90d [never].")
@click.option("--user", metavar="EMAIL|ID", help="Whom it speaks for [yourself].")
@acting_as
@everywhere
@pass_console
def create(console: Console, name: str, scopes: tuple[str, ...], days: int | None, user: str | None) -> None:
    """Make a token. It alone is printed, and never again."""
    made = at_desk(
        console,
        lambda local: local.call(
            "create_token", name=name, scopes=list(scopes) or None, expires_in_days=days, user_pid=user
        ),
    )
    if days is None and "expiresAt" in made:
        console.warn(f"It ends on {made['expiresAt'][:10]}: this server bounds the life of tokens.")
    console.answer(made, made["token"])


@token.command("list")
@click.option("--user", metavar="EMAIL|ID", help="Only this member's.")
@acting_as
@everywhere
@pass_console
def list_(console: Console, user: str | None) -> None:
    """Show every token, without its secret."""
    told = at_desk(console, lambda local: local.call_all("list_tokens", "tokens", user_pid=user, everyone=user is None))
    head = ("ID", "NAME", "USER", "SCOPES", "STATE", "EXPIRES", "LAST USED", "OWNER", "MADE BY")
    rows = [
        (
            each["tokenId"],
            each["name"],
            each["userName"],
            " ".join(each["scopes"]),
            each["state"],
            each.get("expiresAt", "never")[:10],
            each.get("lastUsedAt", "never")[:16],
            each["ownerName"],
            each["createdByName"],
        )
        for each in told["tokens"]
    ]
    console.answer(told, table([head, *rows]))


@token.command()
@click.argument("token_id")
@acting_as
@everywhere
@pass_console
def revoke(console: Console, token_id: str) -> None:
    """Shut a token out at once, by its id."""
    done = at_desk(console, lambda local: local.call("revoke_token", token_id=token_id))
    console.answer(done, f"Revoked {done['name']!r} of {done['userName']}.")
