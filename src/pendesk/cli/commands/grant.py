"""pendesk grant: the agents that signed in through the browser, and have no token of their own to revoke."""

import click

from pendesk.cli.parts.console import Console, as_option, common_options, format_table, pass_console
from pendesk.cli.parts.local import run_locally


@click.group()
@common_options
def grant() -> None:
    """List and revoke the access of agents that signed in through the browser."""


@grant.command("list")
@click.option("--user", metavar="EMAIL|ID", help="Only the grants of this member.")
@as_option
@common_options
@pass_console
def list_(console: Console, user: str | None) -> None:
    """List the grants of all members."""
    result = run_locally(console, lambda local: local.call("list_grants", user_pid=user, everyone=user is None))
    head = ("ID", "AGENT", "USER", "SCOPES", "SINCE", "LAST USED", "EXPIRES")
    rows = [
        (
            grant["grantId"],
            grant["clientName"],
            grant["userName"],
            " ".join(grant["scopes"]),
            grant["createdAt"][:10],
            grant.get("lastUsedAt", "never")[:16],
            grant["expiresAt"][:10],
        )
        for grant in result["grants"]
    ]
    console.print_result(result, format_table([head, *rows]))


@grant.command()
@click.argument("grant_id")
@as_option
@common_options
@pass_console
def revoke(console: Console, grant_id: str) -> None:
    """Revoke a grant, by its id: the agent has to sign in again."""
    grant = run_locally(console, lambda local: local.call("revoke_grant", grant_id=grant_id))
    console.print_result(grant, f"Revoked the access of {grant['clientName']!r} for {grant['userName']}.")
