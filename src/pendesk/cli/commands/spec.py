"""pendesk spec: publish and share the specs of a project."""

from typing import Any

import click

from pendesk.cli.parts.console import CommandError, Console, as_option, common_options, format_table, pass_console
from pendesk.cli.parts.local import LocalClient, run_locally


@click.group()
@common_options
def spec() -> None:
    """List, publish and share specs."""


@spec.command("list")
@click.argument("project")
@as_option
@common_options
@pass_console
def list_(console: Console, project: str) -> None:
    """List a project's specs and their published builds."""
    result = run_locally(console, lambda local: local.call_all_pages("list_specs", "specs", project_id=project))
    rows = [(spec["pid"], spec["build"] or "draft", spec["title"]) for spec in result["specs"]]
    console.print_result(result, format_table([("ID", "BUILD", "TITLE"), *rows]))


@spec.command()
@click.argument("spec_id", metavar="SPEC")
@as_option
@common_options
@pass_console
def publish(console: Console, spec_id: str) -> None:
    """Publish a spec to agents as it is now, with its active plan."""
    build = run_locally(console, lambda local: local.call("publish_build", spec_id=spec_id))
    console.print_result(build, f"Published {build['build']}: {', '.join(build['actions'])}.")


@spec.command()
@click.argument("spec_id", metavar="SPEC")
@click.argument("member", metavar="EMAIL|ID")
@as_option
@common_options
@pass_console
def share(console: Console, spec_id: str, member: str) -> None:
    """Add a member to the participants of a spec."""
    result = run_locally(console, lambda local: _add_participant(local, spec_id, member))
    console.print_confirmation(
        result, f"Participants: {', '.join(participant['name'] for participant in result['participants'])}."
    )


async def _add_participant(local: LocalClient, spec_id: str, member: str) -> dict[str, Any]:
    return await local.call("add_participant", spec_id=spec_id, user_id=await _find_member_id(local, member))


async def _find_member_id(local: LocalClient, email_or_id: str) -> str:
    if "@" not in email_or_id:
        return email_or_id
    members = (await local.call_all_pages("list_members", "members"))["members"]
    for member in members:
        if (member.get("email") or "").casefold() == email_or_id.casefold():
            return str(member["userId"])
    raise CommandError(f"No member has the email {email_or_id}. `pendesk user list` shows them.")
