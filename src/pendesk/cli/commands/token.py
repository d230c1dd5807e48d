"""pendesk token: the tokens of agents."""

import click

from pendesk.cli.parts.console import Console, as_option, common_options, days_option, format_table, pass_console
from pendesk.cli.parts.local import run_locally
from pendesk.cli.parts.tool_choice import scopes_option, tools_option
from pendesk.domain.access import describe_scopes


@click.group()
@common_options
def token() -> None:
    """Create, list and revoke tokens for agents."""


@token.command()
@click.option("--name", required=True, help='What it is for, such as "Claude Code".')
@tools_option("What it is for [build].")
@scopes_option
@days_option("--expires", "Such as 90d [never].")
@click.option("--user", metavar="EMAIL|ID", help="Whose token it is [yours].")
@as_option
@common_options
@pass_console
def create(console: Console, /, scopes: tuple[str, ...], days: int | None, user: str | None, **fields: str) -> None:
    """Create a token. Only the token is printed, and it is not shown again."""
    if scopes and fields["tools"]:
        raise click.UsageError("Use either --tools or --scope.")
    fields_set = {"scopes": list(scopes) or None, "expires_in_days": days, "user_pid": user, **fields}
    token = run_locally(console, lambda local: local.call("create_token", **fields_set))
    if days is None and "expiresAt" in token:
        console.warn(f"It expires on {token['expiresAt'][:10]}: this server limits how long tokens live.")
    console.print_result(token, token["token"])


@token.command("list")
@click.option("--user", metavar="EMAIL|ID", help="Only the tokens of this member.")
@as_option
@common_options
@pass_console
def list_(console: Console, user: str | None) -> None:
    """List the tokens, without their secrets."""
    result = run_locally(
        console, lambda local: local.call_all_pages("list_tokens", "tokens", user_pid=user, everyone=user is None)
    )
    head = ("ID", "NAME", "USER", "TOOLS", "STATE", "EXPIRES", "LAST USED", "OWNER", "CREATED BY")
    rows = [
        (
            token["tokenId"],
            token["name"],
            token["userName"],
            describe_scopes(token["scopes"]),
            token["state"],
            token.get("expiresAt", "never")[:10],
            token.get("lastUsedAt", "never")[:16],
            token["ownerName"],
            token["createdByName"],
        )
        for token in result["tokens"]
    ]
    console.print_result(result, format_table([head, *rows]))


@token.command()
@click.argument("token_id")
@as_option
@common_options
@pass_console
def revoke(console: Console, token_id: str) -> None:
    """Revoke a token, by its id."""
    token = run_locally(console, lambda local: local.call("revoke_token", token_id=token_id))
    console.print_confirmation(token, f"Revoked {token['name']!r} of {token['userName']}.")
