"""pendesk demo: load the sample project, published and ready to claim."""

import click

from pendesk.cli.parts.console import Console, as_option, common_options, pass_console
from pendesk.cli.parts.local import run_locally


@click.command()
@as_option
@common_options
@pass_console
def demo(console: Console) -> None:
    """Load the sample project. It has specs, plans and actions to try an agent with. Safe to run twice."""
    result = run_locally(console, lambda local: local.call("load_sample"))
    if not result["loaded"]:
        text = f"{result['name']} ({result['key']}) already exists; nothing was changed."
        console.print_result(result, text)
        return
    text = (
        f"Loaded {result['name']} ({result['key']}): {result['specs']} specs, {result['actions']} actions, "
        f"{result['published']} specs published and ready to claim."
    )
    console.print_result(result, text, ["Next, in a repository: pendesk connect"])
