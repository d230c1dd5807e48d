"""pendesk work: every tool as a command, for agents that have a shell and count their tokens.

Beside them attach_evidence, which sends a file.
The commands are generated from the inputs of the tools: the first required field is an argument, the rest are options.
"""

import importlib
import json
import sys
from typing import Any

import click

from pendesk.cli.parts.console import CommandError, Console, common_options, pass_console
from pendesk.cli.parts.remote import TIMEOUT_S, UPLOAD_TIMEOUT_S
from pendesk.cli.parts.result_text import format_result_lines
from pendesk.cli.parts.target_server import find_target_server, repo_option

# Operations in the folder of the building tools that are not tools.
NOT_TOOLS = ("get_context", "upload_test_report")
FILE_COMMAND = "attach_evidence"
# Before these the change of the branch is pushed, so that the reviewer has it.
SUBMISSIONS = ("submit_for_review", "resubmit_for_review")
_METAVARS = {"integer": "INTEGER", "number": "FLOAT"}


class ToolGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        from pendesk.operations.registry import TOOLS

        return [*(operation.name for operation in TOOLS), FILE_COMMAND]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = cmd_name.replace("-", "_")
        if name == FILE_COMMAND:
            from pendesk.cli.parts.evidence_upload import attach_evidence

            return attach_evidence
        if name in NOT_TOOLS:
            return None
        operation = _find_tool(name)
        return None if operation is None else _build_command(operation)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from pendesk.operations.nearest_names import nearest_names

            near = nearest_names(args[0].replace("-", "_"), self.list_commands(ctx))
            advice = f"Nearest: {', '.join(near)}." if near else f"{ctx.command_path} --help lists them."
            raise click.UsageError(f"There is no tool {args[0]!r}. {advice}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=ToolGroup)
@common_options
def work() -> None:
    """Call a tool of the server. For example: pendesk work list_available_specs"""


def _find_tool(name: str) -> Any:
    try:
        # Agents call the building tools often, and one module is enough: the registry would load them all.
        return importlib.import_module(f"pendesk.operations.building.{name}").OPERATION
    except (ImportError, AttributeError):
        from pendesk.operations.registry import TOOLS

        return next((operation for operation in TOOLS if operation.name == name), None)


def _build_command(operation: Any) -> click.Command:
    from pendesk.operations.text_input import field_types
    from pendesk.transports.mcp.schemas import input_schema

    schema = input_schema(operation)
    fields: dict[str, Any] = schema["properties"]
    types = field_types(operation.input)
    required: list[str] = schema.get("required", [])

    is_submission = operation.name in SUBMISSIONS

    @pass_console
    def call(console: Console, /, repo: str | None, no_change: bool = False, **options: Any) -> None:
        arguments = {
            name: _parse_option_value(name, fields[name], types[name], value)
            for name, value in options.items()
            if value not in (None, ())
        }
        target = find_target_server(repo, UPLOAD_TIMEOUT_S if is_submission else TIMEOUT_S)
        if is_submission and not no_change:
            from pendesk.cli.parts.change_push import push_before_submission

            arguments = push_before_submission(console, target, repo, arguments)
        result = target.remote.call_tool(operation.name, arguments)
        console.print_result(result, "\n".join(format_result_lines(result)) or "Done.")

    command = click.command(operation.name, help=operation.description, short_help=operation.title)(call)
    parameters = [_build_parameter(name, field, required) for name, field in fields.items()]
    if is_submission:
        parameters.append(
            click.Option(["--no-change"], is_flag=True, help="Do not push the change of the branch first.")
        )
    command.params = [*parameters, *repo_option(common_options(lambda: None)).__click_params__[::-1]]  # type: ignore[attr-defined]
    return command


def _build_parameter(name: str, field_schema: dict[str, Any], required_names: list[str]) -> click.Parameter:
    description = field_schema.get("description", "")
    if required_names[:1] == [name]:
        return click.Argument([name])
    if field_schema.get("type") == "boolean":
        return click.Option([f"--{name.replace('_', '-')}", name], is_flag=True, default=None, help=description)
    many = field_schema.get("type") == "array"
    kind = click.Choice(field_schema["enum"]) if "enum" in field_schema else None
    note = " May be repeated." if many else ""
    if _is_object_list(field_schema):
        note = f" {_joined_keys(field_schema)}, or JSON; may be repeated.{_choices_of_keys(field_schema)}"
    return click.Option(
        [f"--{name.replace('_', '-')}", name],
        required=name in required_names,
        multiple=many,
        type=kind,
        metavar=_METAVARS.get(field_schema.get("type", "")),
        help=f"{description}{note}",
    )


def _is_object_list(field_schema: dict[str, Any]) -> bool:
    return field_schema.get("type") == "array" and "properties" in field_schema.get("items", {})


def _joined_keys(field_schema: dict[str, Any]) -> str:
    return "=".join(field_schema["items"]["properties"])


def _choices_of_keys(field_schema: dict[str, Any]) -> str:
    """For keys that take only some words: which."""
    fields = field_schema["items"]["properties"].items()
    return "".join(f" {name}: {', '.join(field['enum'])}." for name, field in fields if "enum" in field)


def _parse_option_value(name: str, field_schema: dict[str, Any], field_type: Any, value: Any) -> Any:
    from pendesk.operations.text_input import convert_to_type_or_keep_text, list_type_in_union

    if value is True:  # a flag
        return True
    if value == "-":  # a long text is easier to pipe in
        return sys.stdin.read().rstrip("\n")
    if _is_object_list(field_schema):
        return [_parse_json_or_joined_option(name, _joined_keys(field_schema), text) for text in value]
    items = list_type_in_union(field_type)
    return (
        [convert_to_type_or_keep_text(items.item_type, text) for text in value]
        if items
        else convert_to_type_or_keep_text(field_type, value)
    )


def _parse_json_or_joined_option(name: str, joined_keys: str, text: str) -> Any:
    if text.startswith("{"):
        try:
            return json.loads(text)
        except ValueError:
            raise CommandError(f"--{name} is not valid JSON: {text[:80]}") from None
    keys = joined_keys.split("=")
    values = text.split("=", len(keys) - 1)  # the last may have more of them
    if len(values) < len(keys):
        raise CommandError(f"--{name} needs {joined_keys}, or the same as JSON.")
    return dict(zip(keys, values, strict=True))
