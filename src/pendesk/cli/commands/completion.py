"""pendesk completion: the script with which a shell completes commands and options."""

import click

from pendesk.cli.parts.console import common_options

SHELLS = ["bash", "zsh", "fish"]


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@common_options
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    bash: eval "$(pendesk completion bash)" in ~/.bashrc;
    zsh: eval "$(pendesk completion zsh)" in ~/.zshrc;
    fish: pendesk completion fish > ~/.config/fish/completions/pendesk.fish
    """
    from click.shell_completion import get_completion_class

    from pendesk.cli import main

    completion_class = get_completion_class(shell)
    assert completion_class is not None
    click.echo(completion_class(main, {}, "pendesk", "_PENDESK_COMPLETE").source())
