"""pendesk completion: what a shell needs to complete commands and options."""

import click

from pendesk.cli.parts.console import everywhere

SHELLS = ["bash", "zsh", "fish"]


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@everywhere
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    bash: eval "$(pendesk completion bash)" in ~/.bashrc;
    zsh: eval "$(pendesk completion zsh)" in ~/.zshrc;
    fish: pendesk completion fish > ~/.config/fish/completions/pendesk.fish
    """
    from click.shell_completion import get_completion_class

    from pendesk.cli import main

    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(main, {}, "pendesk", "_PENDESK_COMPLETE").source())
