"""pendesk user: who is in the workspace."""

import sys

import click

from pendesk.cli.parts.console import Console, Failure, acting_as, everywhere, pass_console, table
from pendesk.cli.parts.local import at_desk, is_address_known
from pendesk.cli.parts.removal import DONE, confirm_removal, hand_over_to, owned_lines

ROLES = click.Choice(["owner", "admin", "member", "viewer"])


@click.group()
@everywhere
def user() -> None:
    """Add, invite, list and remove members; roles, links, passwords."""


@user.command()
@click.option("--name", required=True, help="What people call them.")
@click.option("--email", help="A person's email.")
@click.option("--agent", is_flag=True, help="An agent's own account, without email.")
@click.option("--role", type=ROLES, default="member", show_default=True)
@acting_as
@everywhere
@pass_console
def add(console: Console, name: str, email: str | None, agent: bool, role: str) -> None:
    """Add a person or an agent's account."""
    kind = "agent" if agent else "person"
    made = at_desk(console, lambda local: local.call("create_user", name=name, kind=kind, email=email, role=role))
    ident = made.get("email") or made["userId"]
    then = f'pendesk token create --user {ident} --name "{name}"' if agent else f"pendesk user link {ident}"
    console.answer(made, f"Added {made['name']} ({made['role']}), {made['userId']}.\nNext: {then}")


@user.command("list")
@acting_as
@everywhere
@pass_console
def list_(console: Console) -> None:
    """Show every member."""
    told = at_desk(console, lambda local: local.call_all("list_members", "members"))
    rows = [
        (
            each["userId"],
            each["name"],
            each.get("email", "-"),
            each["kind"],
            each["role"],
            each["addedAt"][:10],
            each.get("ownerName", "-"),
        )
        for each in told["members"]
    ]
    console.answer(told, table([("ID", "NAME", "EMAIL", "KIND", "ROLE", "SINCE", "OWNER"), *rows]))


@user.command()
@click.argument("member", metavar="EMAIL|ID")
@click.argument("role", type=ROLES)
@hand_over_to
@click.option("--end-owned", is_flag=True, help="End what the new role may not own.")
@acting_as
@everywhere
@pass_console
def role(console: Console, member: str, role: str, heir: str | None, end_owned: bool) -> None:
    """Give a member another role."""
    asked = {"user_pid": member, "role": role, "hand_over_to": heir, "end_owned": end_owned}
    done = at_desk(console, lambda local: local.call("change_role", **asked))
    console.answer(
        done, "\n".join([f"{done['name']} is {done['role']} now.", *owned_lines(done.get("owned", []), DONE)])
    )


@user.command()
@click.argument("member", metavar="EMAIL|ID")
@hand_over_to
@click.option("--yes", is_flag=True, help="Do not ask.")
@acting_as
@everywhere
@pass_console
def remove(console: Console, member: str, heir: str | None, yes: bool) -> None:
    """Shut a member out at once; what they own ends or is handed over, what they did is kept."""
    if not yes:
        confirm_removal(console, member, heir)
    done = at_desk(console, lambda local: local.call("remove_member", user_pid=member, hand_over_to=heir))
    first = f"Removed {done['name']}: tokens revoked, sessions ended, claims released."
    lines = [first, *owned_lines(done.get("owned", []), DONE), done.get("nextStep", "")]
    console.answer(done, "\n".join(line for line in lines if line))


@user.command()
@click.argument("member", metavar="[EMAIL|ID]", required=False)
@acting_as
@everywhere
@pass_console
def link(console: Console, member: str | None) -> None:
    """Make a one-time sign-in link, for yourself or a member."""
    made = at_desk(console, lambda local: local.call("create_sign_in_link", user_pid=member))
    if not is_address_known(console.settings()):
        # Whatever else listens at the usual address would get the code.
        console.warn("No server runs for this data folder. Open the link once `pendesk serve` prints this address.")
    console.answer(made, made["url"])


@user.command()
@click.argument("email")
@click.option("--role", type=ROLES, default="member", show_default=True)
@acting_as
@everywhere
@pass_console
def invite(console: Console, email: str, role: str) -> None:
    """Make a link with which one person joins, once."""
    made = at_desk(console, lambda local: local.call("invite_member", email=email, role=role))
    console.answer(made, made["url"])


@user.command()
@acting_as
@everywhere
@pass_console
def invites(console: Console) -> None:
    """Show the invites that nobody has accepted yet; never their links."""
    told = at_desk(console, lambda local: local.call("list_invites"))
    rows = [
        (each["inviteId"], each["email"], each["role"], each["expiresAt"][:10], each["createdByName"])
        for each in told["invites"]
    ]
    shown = table([("ID", "EMAIL", "ROLE", "UNTIL", "OWNER"), *rows]) if rows else "Nobody is invited."
    console.answer(told, shown)


@user.command()
@click.argument("invite_id", metavar="ID")
@acting_as
@everywhere
@pass_console
def uninvite(console: Console, invite_id: str) -> None:
    """Take an invite back, by its id: its link no longer works."""
    done = at_desk(console, lambda local: local.call("revoke_invite", invite_id=invite_id))
    console.answer(done, f"{done['email']} can no longer join by that link.")


@user.command()
@click.argument("member", metavar="[EMAIL|ID]", required=False)
@click.option("--password-stdin", is_flag=True, help="Read the password from stdin.")
@acting_as
@everywhere
@pass_console
def password(console: Console, member: str | None, password_stdin: bool) -> None:
    """Set a password, for yourself or a member."""
    if password_stdin:
        secret = sys.stdin.read().rstrip("\r\n")
    elif sys.stdin.isatty():
        secret = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    else:
        raise Failure("There is no terminal to ask on. Send the password with --password-stdin.")
    done = at_desk(console, lambda local: local.call("set_password", password=secret, user_pid=member))
    console.answer(done, f"The password of {done['name']} is set.")
