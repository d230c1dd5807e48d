"""Which session, and which sub-agent of it, a call of a tool comes from: its client's hook says it a moment before.

Claude Code marks a call with the id of its tool use and nothing else; the hook before that call has the same id and the
session. Hook and call may reach different servers: at one PostgreSQL the database remembers it for all of them.
"""

from typing import NamedTuple, Protocol

from pendesk.domain.limits import TOOL_USES_REMEMBERED
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.housekeeping import find_tool_use, record_tool_use
from pendesk.operations.housekeeping.record_tool_use import RecordToolUse


class ToolUseSource(NamedTuple):
    """As the client names them; `thread` is empty for the root."""

    client_session: str
    thread: str


class ToolUses(Protocol):
    async def record(self, user_id: str, tool_use_id: str, source: ToolUseSource) -> None: ...
    async def find(self, user_id: str, tool_use_id: str) -> ToolUseSource | None: ...


def create_tool_uses(dispatcher: Dispatcher) -> ToolUses:
    return DatabaseToolUses(dispatcher) if dispatcher.database_engine == "postgres" else MemoryToolUses()


class MemoryToolUses:
    def __init__(self) -> None:
        self._sources: dict[tuple[str, str], ToolUseSource] = {}

    async def record(self, user_id: str, tool_use_id: str, source: ToolUseSource) -> None:
        if len(self._sources) >= TOOL_USES_REMEMBERED:
            self._sources.pop(next(iter(self._sources)))
        self._sources[user_id, tool_use_id] = source

    async def find(self, user_id: str, tool_use_id: str) -> ToolUseSource | None:
        return self._sources.get((user_id, tool_use_id))


class DatabaseToolUses:
    """The memory of this process first: often hook and call reach the same one."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._memory = MemoryToolUses()

    async def record(self, user_id: str, tool_use_id: str, source: ToolUseSource) -> None:
        await self._memory.record(user_id, tool_use_id, source)
        await self._dispatcher.call_as_server(record_tool_use.OPERATION, RecordToolUse(user_id, tool_use_id, *source))

    async def find(self, user_id: str, tool_use_id: str) -> ToolUseSource | None:
        source = await self._memory.find(user_id, tool_use_id)
        if source is not None:
            return source
        row = await self._dispatcher.call_as_server(find_tool_use.OPERATION, (user_id, tool_use_id))
        return None if row is None else ToolUseSource(row.client_session, row.thread)
