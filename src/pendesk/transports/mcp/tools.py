"""Tools: the operations that agents may call, as MCP shows them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from pendesk.domain.access import Scope
from pendesk.operations.operation import AnyOperation, Kind
from pendesk.transports.mcp.elicitation import FORMS, Form
from pendesk.transports.mcp.messages import encode
from pendesk.transports.mcp.prompts import PROMPTS, Prompt
from pendesk.transports.mcp.schemas import input_schema, output_schema

# Writes that end something for good. Everything else can be taken up again or is only added to.
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
# It takes an address from its caller. The other two go only where a person's choice led before.
OPEN_WORLD = frozenset({"publish_project"})


class Toolbox:
    """The tools in their fixed order, what each set of scopes sees of them, and what stands beside them."""

    def __init__(
        self,
        operations: list[AnyOperation],
        forms: Mapping[str, Form] = FORMS,
        prompts: Mapping[str, Prompt] = PROMPTS,
    ) -> None:
        self.forms = forms
        self.prompts = prompts
        self._operations = {operation.name: operation for operation in operations}
        self._shown = {operation.name: msgspec.Raw(encode(describe(operation))) for operation in operations}
        self._listed: dict[frozenset[Scope], list[msgspec.Raw]] = {}

    def listed(self, scopes: frozenset[Scope]) -> list[msgspec.Raw]:
        found = self._listed.get(scopes)
        if found is None:
            found = [self._shown[name] for name, each in self._operations.items() if each.scope in scopes]
            self._listed[scopes] = found
        return found

    def find(self, name: str) -> AnyOperation | None:
        return self._operations.get(name)


def describe(operation: AnyOperation) -> dict[str, Any]:
    return {
        "name": operation.name,
        "title": operation.title,
        "description": operation.description,
        "inputSchema": input_schema(operation),
        "outputSchema": output_schema(operation),
        "annotations": annotations(operation),
    }


def annotations(operation: AnyOperation) -> dict[str, bool]:
    """Said in full: a client that finds a hint missing assumes the worst and asks the user, or refuses.

    get_action_brief is a write to the store (it marks criteria as seen and renews the lease) but to its caller it is
    reading, and scopes say so.
    """
    reads = operation.scope in (Scope.SPECS_READ, Scope.DESK_READ)
    return {
        "readOnlyHint": reads,
        "destructiveHint": False,
        "idempotentHint": reads or operation.kind is not Kind.WRITE or operation.name in IDEMPOTENT,
        "openWorldHint": operation.name in OPEN_WORLD,
    }
