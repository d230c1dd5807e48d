"""The scope of every tool, by name."""

from pendesk.operations.registry import TOOLS

SCOPE_BY_TOOL = {tool.name: tool.scope for tool in TOOLS}
