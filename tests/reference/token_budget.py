"""The figures in docs/reference/token-budget.md: what each building tool costs an agent. Its words are handwritten."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from splintr import Tokenizer

from pendesk.domain.access import ALL_SCOPES
from pendesk.operations.operation import encode_json
from pendesk.operations.registry import BUILDING, DESK, TOOLS
from pendesk.transports.mcp.prompts import instructions_for_scopes
from pendesk.transports.mcp.tools import describe_tool
from tests.reference.markdown import table

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "token-budget.md"
COLUMNS = ("tool", "tokens")
_TABLE = re.compile(r"^\| tool \| tokens \|\n(?:\|.*\n)+\n", re.MULTILINE)


def render() -> str:
    costs = {tool["name"]: tokens(tool) for tool in map(seen_by_models, BUILDING)}
    rows = [
        *costs.items(),
        ("together", sum(costs.values())),
        ("the planning tools", sum(tokens(seen_by_models(operation)) for operation in DESK)),
        ("all tools", sum(tokens(seen_by_models(operation)) for operation in TOOLS)),
        ("instructions", tokens(instructions_for_scopes(ALL_SCOPES))),
        ("whole list", len(encode_json({"tools": [describe_tool(operation) for operation in TOOLS]})) // 4),
    ]
    figures = "\n".join([*table(COLUMNS, [(name, str(cost)) for name, cost in rows]), ""])
    page, replaced = _TABLE.subn(lambda _match: figures, PAGE.read_text("utf-8"))
    assert replaced == 1, f"{PAGE.name} has no table of tools to replace"
    return page


def seen_by_models(operation: Any) -> dict[str, Any]:
    """Output schemas and hints stay with the client."""
    return {
        name: part for name, part in describe_tool(operation).items() if name in ("name", "description", "inputSchema")
    }


def tokens(value: Any) -> int:
    return len(_tokenizer().encode(value if isinstance(value, str) else encode_json(value).decode()))


@cache
def _tokenizer() -> Any:
    return Tokenizer.from_pretrained("o200k_base")
