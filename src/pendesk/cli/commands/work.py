"""pendesk work: every building tool as a command, for agents that have a shell and count their tokens.

The commands are made from the tools' own inputs: what the first required field is called stands alone, the others are
options of their name.
"""

import importlib
import json
import sys
from typing import Any

import click

from pendesk.cli.parts.console import Console, Failure, everywhere, pass_console
from pendesk.cli.parts.target_server import bound_server, repo_option

# Operations beside the tools in the same room: no agent calls them.
NO_TOOLS = ("get_context", "upload_test_report")
_METAVARS = {"integer": "INTEGER", "number": "FLOAT", "boolean": "BOOLEAN"}


class Tools(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        from pendesk.operations.registry import BUILDING

        return [operation.name for operation in BUILDING]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = cmd_name.replace("-", "_")
        if name in NO_TOOLS:
            return None
        try:
            # The one module is enough: the registry would load them all.
            operation = importlib.import_module(f"pendesk.operations.building.{name}").OPERATION
        except (ImportError, AttributeError):
            return None
        return _command(operation)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise click.exceptions.NoSuchCommand(args[0], possibilities=self.list_commands(ctx), ctx=ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Tools)
@everywhere
def work() -> None:
    """Call a building tool on the connected server: list_available_specs, claim_action, ..."""


def _command(operation: Any) -> click.Command:
    from pendesk.operations.text_input import field_types
    from pendesk.transports.mcp.schemas import input_schema

    schema = input_schema(operation)
    fields: dict[str, Any] = schema["properties"]
    types = field_types(operation.input)
    required: list[str] = schema.get("required", [])

    @pass_console
    def call(console: Console, /, repo: str | None, **given: Any) -> None:
        arguments = {
            name: _value(name, fields[name], types[name], value)
            for name, value in given.items()
            if value not in (None, ())
        }
        told = bound_server(repo).remote.call_tool(operation.name, arguments)
        console.answer(told, "\n".join(_lines(told)) or "Done.")

    command = click.command(operation.name, help=operation.description, short_help=operation.title)(call)
    parameters = [_parameter(name, each, required) for name, each in fields.items()]
    command.params = [*parameters, *repo_option(everywhere(lambda: None)).__click_params__[::-1]]  # type: ignore[attr-defined]
    return command


def _parameter(name: str, field: dict[str, Any], required: list[str]) -> click.Parameter:
    about = field.get("description", "")
    if required[:1] == [name]:
        return click.Argument([name])
    many = field.get("type") == "array"
    kind = click.Choice(field["enum"]) if "enum" in field else None
    note = " ID=TEXT, or JSON; may be repeated." if _is_pairs(field) else " May be repeated." if many else ""
    return click.Option(
        [f"--{name.replace('_', '-')}", name],
        required=name in required,
        multiple=many,
        type=kind,
        metavar=_METAVARS.get(field.get("type", "")),
        help=f"{about}{note}",
    )


def _is_pairs(field: dict[str, Any]) -> bool:
    return field.get("type") == "array" and "properties" in field.get("items", {})


def _value(name: str, field: dict[str, Any], field_type: Any, value: Any) -> Any:
    from pendesk.operations.text_input import convert_text, list_type

    if value == "-":  # a long text comes better through a pipe
        return sys.stdin.read().rstrip("\n")
    if _is_pairs(field):
        return [_pair(name, list(field["items"]["properties"]), text) for text in value]
    items = list_type(field_type)
    return [convert_text(items.item_type, text) for text in value] if items else convert_text(field_type, value)


def _pair(name: str, keys: list[str], text: str) -> Any:
    if text.startswith("{"):
        try:
            return json.loads(text)
        except ValueError:
            raise Failure(f"--{name} is no valid JSON: {text[:80]}") from None
    ident, equals, rest = text.partition("=")
    if not equals:
        raise Failure(f"--{name} needs {keys[0]}={keys[1]}, such as {keys[0]}=12/12 tests passed.")
    return dict(zip(keys, (ident, rest), strict=False))


def _lines(told: Any, indent: str = "") -> list[str]:
    """Short and readable: what is empty is left out, a nested thing is indented."""
    lines: list[str] = []
    for key, value in told.items():
        if value in (None, [], {}, ""):
            continue
        if isinstance(value, dict):
            lines += [f"{indent}{key}:", *_lines(value, indent + "  ")]
        elif isinstance(value, list) and isinstance(value[0], dict):
            lines.append(f"{indent}{key}:")
            for item in value:
                first, *rest = _lines(item, indent + "    ") or [indent + "    -"]
                lines += [f"{indent}  - {first.strip()}", *rest]
        elif isinstance(value, list):
            lines += [f"{indent}{key}:", *(f"{indent}  - {each}" for each in value)]
        else:
            lines.append(f"{indent}{key}: {_inline(value, indent)}")
    return lines


def _inline(value: Any, indent: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("\n", f"\n{indent}  ")
