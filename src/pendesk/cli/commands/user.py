"""pendesk user: the members of the workspace."""

import sys

import click

from pendesk.cli.parts.console import CommandError, Console, as_option, common_options, format_table, pass_console
from pendesk.cli.parts.local import is_public_url_known, run_locally
from pendesk.cli.parts.removal import DONE, confirm_member_removal, format_ended_or_transferred_items, hand_over_option

ROLES = click.Choice(["owner", "admin", "member", "viewer"])


@click.group()
@common_options
def user() -> None:
    """Manage members, invites and passwords."""


@user.command()
@click.option("--name", required=True, help="The name of the person or agent.")
@click.option("--email", help="The email of a person.")
@click.option("--agent", is_flag=True, help="Create an agent's account, without email.")
@click.option("--role", type=ROLES, default="member", show_default=True)
@as_option
@common_options
@pass_console
def add(console: Console, name: str, email: str | None, agent: bool, role: str) -> None:
    """Add a person or an agent."""
    kind = "agent" if agent else "person"
    member = run_locally(console, lambda local: local.call("create_user", name=name, kind=kind, email=email, role=role))
    ident = member.get("email") or member["userId"]
    next_command = f'pendesk token create --user {ident} --name "{name}"' if agent else f"pendesk user link {ident}"
    console.print_result(
        member, f"Added {member['name']} ({member['role']}), {member['userId']}.", [f"Next: {next_command}"]
    )


@user.command("list")
@as_option
@common_options
@pass_console
def list_(console: Console) -> None:
    """List the members."""
    result = run_locally(console, lambda local: local.call_all_pages("list_members", "members"))
    rows = [
        (
            member["userId"],
            member["name"],
            member.get("email", "-"),
            member["kind"],
            member["role"],
            member["addedAt"][:10],
            member.get("ownerName", "-"),
        )
        for member in result["members"]
    ]
    console.print_result(result, format_table([("ID", "NAME", "EMAIL", "KIND", "ROLE", "ADDED", "OWNER"), *rows]))


@user.command()
@click.argument("member", metavar="EMAIL|ID")
@click.argument("role", type=ROLES)
@hand_over_option
@click.option("--end-owned", is_flag=True, help="End what the new role must not own.")
@as_option
@common_options
@pass_console
def role(console: Console, member: str, role: str, successor: str | None, end_owned: bool) -> None:
    """Change the role of a member."""
    args = {"user_pid": member, "role": role, "hand_over_to": successor, "end_owned": end_owned}
    result = run_locally(console, lambda local: local.call("change_role", **args))
    console.print_result(
        result,
        "\n".join(
            [
                f"{result['name']} is {result['role']} now.",
                *format_ended_or_transferred_items(result.get("owned", []), DONE),
            ]
        ),
    )


@user.command()
@click.argument("member", metavar="EMAIL|ID")
@hand_over_option
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@as_option
@common_options
@pass_console
def remove(console: Console, member: str, successor: str | None, yes: bool) -> None:
    """Remove a member. What they own ends or is transferred; what they did stays."""
    if not yes:
        confirm_member_removal(console, member, successor)
    result = run_locally(console, lambda local: local.call("remove_member", user_pid=member, hand_over_to=successor))
    first = f"Removed {result['name']}: tokens revoked, signed out everywhere, claims released."
    lines = [first, *format_ended_or_transferred_items(result.get("owned", []), DONE), result.get("nextStep", "")]
    console.print_result(result, "\n".join(line for line in lines if line))


@user.command()
@click.argument("member", metavar="[EMAIL|ID]", required=False)
@as_option
@common_options
@pass_console
def link(console: Console, member: str | None) -> None:
    """Create a one-time sign-in link, for yourself or a member."""
    link = run_locally(console, lambda local: local.call("create_sign_in_link", user_pid=member))
    if not is_public_url_known(console.load_settings()):
        # Another program that listens at the default address would get the code.
        console.warn("No server runs for this data folder. Open the link after `pendesk serve` prints this address.")
    console.print_result(link, link["url"])


@user.command()
@click.argument("email")
@click.option("--role", type=ROLES, default="member", show_default=True)
@as_option
@common_options
@pass_console
def invite(console: Console, email: str, role: str) -> None:
    """Create an invite link for one person. It works once."""
    invite = run_locally(console, lambda local: local.call("invite_member", email=email, role=role))
    console.print_result(invite, invite["url"])


@user.command()
@as_option
@common_options
@pass_console
def invites(console: Console) -> None:
    """List the open invites, without their links."""
    result = run_locally(console, lambda local: local.call("list_invites"))
    rows = [
        (invite["inviteId"], invite["email"], invite["role"], invite["expiresAt"][:10], invite["createdByName"])
        for invite in result["invites"]
    ]
    text = (
        format_table([("ID", "EMAIL", "ROLE", "EXPIRES", "CREATED BY"), *rows])
        if rows
        else "There are no open invites."
    )
    console.print_result(result, text)


@user.command()
@click.argument("invite_id", metavar="ID")
@as_option
@common_options
@pass_console
def uninvite(console: Console, invite_id: str) -> None:
    """Revoke an invite, by its id: its link no longer works."""
    invite = run_locally(console, lambda local: local.call("revoke_invite", invite_id=invite_id))
    console.print_confirmation(invite, f"{invite['email']} can no longer join with this link.")


@user.command()
@click.argument("member", metavar="[EMAIL|ID]", required=False)
@click.option("--password-stdin", is_flag=True, help="Read the password from stdin.")
@as_option
@common_options
@pass_console
def password(console: Console, member: str | None, password_stdin: bool) -> None:
    """Set a password, for yourself or a member."""
    if password_stdin:
        secret = sys.stdin.read().rstrip("\r\n")
    elif sys.stdin.isatty():
        secret = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    else:
        raise CommandError("There is no terminal to ask for the password. Pipe it in with --password-stdin.")
    result = run_locally(console, lambda local: local.call("set_password", password=secret, user_pid=member))
    console.print_confirmation(result, f"Set the password of {result['name']}.")
