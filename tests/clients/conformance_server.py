"""A real server with the two tools that the conformance suite calls, which belong to no product.

python -m tests.clients.conformance_server DATA_FOLDER PORT
"""

import asyncio
import sys
from pathlib import Path

import uvicorn

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.main import create_app, opened
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.registry import OPERATIONS, TOOLS
from pendesk.settings import load


class Nothing(Input):
    pass


class Text(Output):
    text: str


def simple_text(_call: Call, _asked: Nothing) -> Text:
    return Text(text="This is a simple text response for testing.")


def error_handling(_call: Call, _asked: Nothing) -> Text:
    raise RuleBroken("This tool intentionally returns an error for testing")


FIXTURES = [
    Operation(
        name=name,
        title=name,
        description="For the conformance suite.",
        input=Nothing,
        output=Text,
        scope=Scope.SPECS_READ,
        role=Role.VIEWER,
        kind=Kind.READ,
        run=run,
    )
    for name, run in (("test_simple_text", simple_text), ("test_error_handling", error_handling))
]


async def main(data: Path, port: int) -> None:
    settings = load(data=str(data), options={"requests_per_minute": 100_000})
    async with opened(settings, f"http://127.0.0.1:{port}", [*OPERATIONS, *FIXTURES]) as service:
        app = create_app(service, [*TOOLS, *FIXTURES])
        await uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning")).serve()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
