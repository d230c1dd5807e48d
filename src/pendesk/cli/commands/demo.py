"""pendesk demo: load the sample project, published and ready to claim."""

import click

from pendesk.cli.parts.console import Console, acting_as, everywhere, pass_console
from pendesk.cli.parts.local import at_desk


@click.command()
@acting_as
@everywhere
@pass_console
def demo(console: Console) -> None:
    """Load the sample project: specs, plans and actions to try an agent on. Safe to run twice."""
    told = at_desk(console, lambda local: local.call("load_sample"))
    if told["loaded"]:
        text = (
            f"Loaded {told['name']} ({told['key']}): {told['specs']} specs, {told['actions']} actions, "
            f"{told['published']} specs published and ready to claim.\n"
            "Next, in a repository: pendesk connect"
        )
    else:
        text = f"{told['name']} ({told['key']}) is there already; nothing was changed."
    console.answer(told, text)
