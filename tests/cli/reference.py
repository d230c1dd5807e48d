"""docs/reference/cli.md, generated from the commands."""

import click

from pendesk.cli import main

HEAD = """\
# The command line

Generated from the commands by `make reference`. `pendesk COMMAND --help` shows the same.

**Exit codes**: 0 success, 1 refused or failed (the reason is on stderr), 2 wrong usage. `doctor`: 0 healthy,
1 problems, 2 the database is corrupt. `context` is always 0. `verify`: 1 if the log was changed. `migrate --check`:
1 if migrations are pending.

**Every command** takes these options, before or after its name: `--json` prints the result as JSON on stdout, errors
as `{"error": ...}` on stderr; `--quiet` prints only the result, without next steps; `--data DIR` and `--config FILE`
choose the installation. No command prompts if stdin is not a terminal. Output has no colors.
`eval "$(pendesk completion bash)"` completes commands and options.
"""
COMMON = {"quiet", "as_json", "config", "data"}


def render() -> str:
    ctx = click.Context(main, info_name="pendesk")
    return "\n".join([HEAD, *(_section(main.get_command(ctx, name), name) for name in main.list_commands(ctx))])


def _section(command: click.Command | None, name: str) -> str:
    assert command is not None
    lines = [f"## `pendesk {name}`", "", _help_text(command), ""]
    if isinstance(command, click.Group):
        ctx = click.Context(command, info_name=name)
        for subcommand_name in command.list_commands(ctx):
            subcommand = command.get_command(ctx, subcommand_name)
            assert subcommand is not None
            lines += _options(subcommand, f"{name} {subcommand_name}")
        return "\n".join(lines)
    return "\n".join([*lines, *_options(command, name)])


def _help_text(command: click.Command) -> str:
    return " ".join((command.help or "").replace("\b", "").split())


def _options(command: click.Command, name: str) -> list[str]:
    arguments = [_argument(param) for param in command.params if isinstance(param, click.Argument)]
    usage = " ".join(["pendesk", name, *arguments])
    help_text = _help_text(command) if " " in name and not name.startswith("work ") else ""
    lines = [f"`{usage}`" + (f": {help_text}" if help_text else ""), ""]
    options = [param for param in command.params if isinstance(param, click.Option) and param.name not in COMMON]
    options = [option for option in options if option.name != "repo"] if name.startswith("work ") else options
    lines += [f"- `{_usage(option)}` {option.help or ''}".rstrip() for option in options]
    return [*lines, ""] if options else lines


def _argument(argument: click.Argument) -> str:
    word = (argument.metavar or (argument.name or "").upper()).strip("[]")
    return word if argument.required else f"[{word}]"


def _usage(option: click.Option) -> str:
    names = "/".join([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return names
    if isinstance(option.type, click.Choice):
        return f"{names} {'|'.join(map(str, option.type.choices))}"
    return f"{names} {option.metavar or option.type.name.upper()}"
