"""Calling tools as a client that believes what it was told about them."""

import json
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.transports.mcp.wire import Wire


class Checked:
    """Calls tools and holds each result against the tool's own schema."""

    def __init__(self, wire: Wire, tools: list[dict[str, Any]]) -> None:
        self.wire = wire
        self.schemas = {tool["name"]: Draft202012Validator(tool["outputSchema"]) for tool in tools}
        self.called: dict[str, set[bool]] = {}

    async def call(self, tool: str, /, **arguments: Any) -> Any:
        result = await self.wire.call(tool, **arguments)
        self.schemas[tool].validate(result["structuredContent"])
        assert [part["type"] for part in result["content"]] == ["text"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        assert result["resultType"] == "complete"
        self.called.setdefault(tool, set()).add(result["isError"])
        return result["structuredContent"]

    async def refused(self, tool: str, status: int, /, **arguments: Any) -> Any:
        error = (await self.call(tool, **arguments))["error"]
        assert error["status"] == status, error
        assert error["code"]
        assert error["message"].endswith((".", "again."))
        return error
