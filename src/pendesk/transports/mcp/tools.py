"""Tools: the operations that agents may call, as MCP describes them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from pendesk.domain.access import Scope
from pendesk.operations.operation import AnyOperation, Kind
from pendesk.transports.mcp.elicitation import FORMS, Form
from pendesk.transports.mcp.messages import encode
from pendesk.transports.mcp.prompts import PROMPTS, Prompt
from pendesk.transports.mcp.schemas import input_schema, output_schema

# Writes that a repeated call does not change again.
IDEMPOTENT = frozenset(
    {
        "claim_action",
        "create_edge",
        "publish_project",
        "release_action",
        "report_commit",
        "sync_pull",
        "sync_push",
        "update_task",
    }
)
# What is removed is gone; a planner draws it again with create_edge.
DESTRUCTIVE = frozenset({"remove_edge"})
# It takes a URL from its caller. Other tools only reach servers that a person chose before.
OPEN_WORLD = frozenset({"publish_project"})


class Toolbox:
    """The tools in their fixed order, which of them a set of scopes sees, and their forms and prompts."""

    def __init__(
        self,
        operations: list[AnyOperation],
        forms: Mapping[str, Form] = FORMS,
        prompts: Mapping[str, Prompt] = PROMPTS,
    ) -> None:
        self.forms = forms
        self.prompts = prompts
        self._operations = {operation.name: operation for operation in operations}
        self._descriptions = {operation.name: msgspec.Raw(encode(describe_tool(operation))) for operation in operations}
        self._by_scopes: dict[frozenset[Scope], list[msgspec.Raw]] = {}

    def tool_descriptions_for_scopes(self, scopes: frozenset[Scope]) -> list[msgspec.Raw]:
        tools = self._by_scopes.get(scopes)
        if tools is None:
            allowed = [operation for operation in self._operations.values() if operation.scope in scopes]
            tools = self._by_scopes[scopes] = [self._descriptions[operation.name] for operation in allowed]
        return tools

    def names_for_scopes(self, scopes: frozenset[Scope]) -> list[str]:
        return [operation.name for operation in self._operations.values() if operation.scope in scopes]

    def find_operation(self, tool_name: str) -> AnyOperation | None:
        return self._operations.get(tool_name)


def describe_tool(operation: AnyOperation) -> dict[str, Any]:
    return {
        "name": operation.name,
        "title": operation.title,
        "description": operation.description,
        "inputSchema": input_schema(operation),
        "outputSchema": output_schema(operation),
        "annotations": tool_annotations(operation),
    }


def tool_annotations(operation: AnyOperation) -> dict[str, bool]:
    """The hints that say more than a client assumes without them.

    That is the worst: a write that may destroy, differs when repeated and reaches out; it asks the user or refuses.
    get_action_brief is a write to the store (it marks criteria as seen and renews the lease) but for its caller it
    is a read, as its scope says. A read destroys nothing and is idempotent by itself.
    """
    is_read = operation.scope in (Scope.SPECS_READ, Scope.DESK_READ) or operation.kind in (Kind.READ, Kind.LONG_READ)
    hints = {"readOnlyHint": True} if is_read else {"destructiveHint": False}
    if operation.name in DESTRUCTIVE:
        del hints["destructiveHint"]
    if operation.name in IDEMPOTENT:
        hints["idempotentHint"] = True
    if operation.name not in OPEN_WORLD:
        hints["openWorldHint"] = False
    return hints
