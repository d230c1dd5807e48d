"""docs/reference/cli.md, made from the commands themselves: `python -m tests.cli.reference` writes it anew."""

from pathlib import Path

import click

from pendesk.cli import main

PLACE = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"
HEAD = """\
# The command line

Made from the commands themselves; `make reference` writes it anew. `pendesk COMMAND --help` says the same.

**Exit codes**: 0 done, 1 refused or failed (the reason is on stderr), 2 wrong usage. `doctor`: 0 healthy, 1 issues,
2 the database is corrupt. `context` is always 0. `verify` and `migrate --check`: 1 if something was found.

**Everywhere**, before or after a command's name: `--json` answers in JSON on stdout, refusals as `{"error": ...}` on
stderr; `--quiet` says only what was asked for; `--data DIR` and `--config FILE` choose the installation. Nothing asks
where stdin is no terminal. Colours are not used. `eval "$(pendesk completion bash)"` completes commands and options.
"""
COMMON = {"quiet", "as_json", "config", "data", "acting"}


def render() -> str:
    ctx = click.Context(main, info_name="pendesk")
    return "\n".join([HEAD, *(_section(main.get_command(ctx, name), name) for name in main.list_commands(ctx))])


def _section(command: click.Command | None, name: str) -> str:
    assert command is not None
    lines = [f"## `pendesk {name}`", "", _about(command), ""]
    if isinstance(command, click.Group):
        ctx = click.Context(command, info_name=name)
        for each in command.list_commands(ctx):
            found = command.get_command(ctx, each)
            assert found is not None
            lines += _options(found, f"{name} {each}")
        return "\n".join(lines)
    return "\n".join([*lines, *_options(command, name)])


def _about(command: click.Command) -> str:
    return " ".join((command.help or "").replace("\b", "").split())


def _options(command: click.Command, name: str) -> list[str]:
    arguments = [_argument(each) for each in command.params if isinstance(each, click.Argument)]
    usage = " ".join(["pendesk", name, *arguments])
    about = _about(command) if " " in name and not name.startswith("work ") else ""
    lines = [f"`{usage}`" + (f": {about}" if about else ""), ""]
    shown = [each for each in command.params if isinstance(each, click.Option) and each.name not in COMMON]
    shown = [each for each in shown if each.name != "repo"] if name.startswith("work ") else shown
    lines += [f"- `{_form(each)}` {each.help or ''}".rstrip() for each in shown]
    return [*lines, ""] if shown else lines


def _argument(argument: click.Argument) -> str:
    word = (argument.metavar or (argument.name or "").upper()).strip("[]")
    return word if argument.required else f"[{word}]"


def _form(option: click.Option) -> str:
    names = "/".join([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return names
    if isinstance(option.type, click.Choice):
        return f"{names} {'|'.join(map(str, option.type.choices))}"
    return f"{names} {option.metavar or option.type.name.upper()}"


if __name__ == "__main__":
    PLACE.write_text(render(), "utf-8")
