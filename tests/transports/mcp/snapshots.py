"""Every tool as tools/list gives it, one file each in snapshots/: what a review reads when a text or a schema changes.

`make snapshots` writes the files; test_snapshots.py compares them with the server.
"""

import asyncio
import json
import tempfile
from pathlib import Path

from pendesk.domain.access import TOKEN_SCOPES
from tests.transports.mcp.wire import Wire, token_of
from tests.transports.served import Served, serving

FOLDER = Path(__file__).with_name("snapshots")


async def tool_texts(served: Served) -> dict[str, str]:
    """File name -> its text, for a token with every scope."""
    tools = (await Wire(served.http, await token_of(served, *sorted(TOKEN_SCOPES))).result("tools/list"))["tools"]
    return {f"{tool['name']}.json": json.dumps(tool, indent=2, sort_keys=True) + "\n" for tool in tools}


def read_snapshots() -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()}


async def _texts_of_new_server(data: Path) -> dict[str, str]:
    async with serving(data) as served:
        return await tool_texts(served)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        texts = asyncio.run(_texts_of_new_server(Path(folder) / "data"))
    FOLDER.mkdir(exist_ok=True)
    for name in read_snapshots().keys() - texts.keys():
        (FOLDER / name).unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, "utf-8")
    print(f"Wrote {len(texts)} files to {FOLDER.name}/.")


if __name__ == "__main__":
    main()
