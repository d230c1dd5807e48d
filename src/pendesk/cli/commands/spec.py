"""pendesk spec: what of a project agents can see."""

import click

from pendesk.cli.parts.console import Console, acting_as, everywhere, pass_console, table
from pendesk.cli.parts.local import at_desk


@click.group()
@everywhere
def spec() -> None:
    """List specs, publish them to agents, share them with members."""


@spec.command("list")
@click.argument("project")
@acting_as
@everywhere
@pass_console
def list_(console: Console, project: str) -> None:
    """Show a project's specs and what of them is published."""
    told = at_desk(console, lambda local: local.call_all("list_specs", "specs", project_id=project))
    rows = [(each["pid"], each["build"] or "draft", each["title"]) for each in told["specs"]]
    console.answer(told, table([("ID", "BUILD", "TITLE"), *rows]))


@spec.command()
@click.argument("spec_id", metavar="SPEC")
@acting_as
@everywhere
@pass_console
def publish(console: Console, spec_id: str) -> None:
    """Let agents see a spec as it is now, with its active plan."""
    done = at_desk(console, lambda local: local.call("publish_build", spec_id=spec_id))
    console.answer(done, f"Published {done['build']}: {', '.join(done['actions'])}.")


@spec.command()
@click.argument("spec_id", metavar="SPEC")
@click.argument("member", metavar="ID")
@acting_as
@everywhere
@pass_console
def share(console: Console, spec_id: str, member: str) -> None:
    """Let a member, by their id, work on a spec."""
    done = at_desk(console, lambda local: local.call("add_participant", spec_id=spec_id, user_id=member))
    console.answer(done, f"Taking part: {', '.join(each['name'] for each in done['participants'])}.")
