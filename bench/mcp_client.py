"""Tool calls over one kept connection, with as little work on this side as Python allows."""

import asyncio
from typing import NamedTuple, Self

PROTOCOL = "2026-07-28"
META = b'"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}'


class McpClient(NamedTuple):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    bearer: str

    @classmethod
    async def connect(cls, port: int, bearer: str) -> Self:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        return cls(reader, writer, bearer)

    async def call(self, tool: str, arguments: bytes, tool_use_id: str = "") -> bytes:
        """The answer's body; `tool_use_id` as Claude Code sends it with its calls."""
        meta = META + (f',"claudecode/toolUseId":"{tool_use_id}"'.encode() if tool_use_id else b"")
        body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{%s},"name":"%s","arguments":%s}}' % (
            meta,
            tool.encode(),
            arguments,
        )
        head = (
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {self.bearer}\r\nMCP-Protocol-Version: {PROTOCOL}\r\n"
            f"Mcp-Method: tools/call\r\nMcp-Name: {tool}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        status = await self.reader.readline()
        answer = await self.reader.readexactly(await self._length())
        if b" 200 " not in status or b'"isError":true' in answer:
            raise RuntimeError(f"{tool}: {status!r} {answer[:300]!r}")
        return answer

    async def _length(self) -> int:
        length = 0
        while (line := await self.reader.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return length

    def close(self) -> None:
        self.writer.close()
