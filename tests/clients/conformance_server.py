"""The real server with the tools and prompts that the conformance suite calls, which belong to no product.

Each shows something that the MCP layer has: a text, a refusal, a prompt, a question to the user. What it does not
have (images, sampling, resources...) gets no fixture and stands in the lists of expected failures.

python -m tests.clients.conformance_server DATA_FOLDER
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from pendesk.cli.commands.serve import open_listener
from pendesk.cli.parts.local import LocalClient
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.main import create_app, open_service
from pendesk.operations.operation import AnyOperation, Call, Input, Kind, Operation, Output
from pendesk.operations.registry import OPERATIONS, TOOLS
from pendesk.settings import load
from pendesk.transports.mcp.elicitation import FORMS, Form, Question
from pendesk.transports.mcp.prompts import PROMPTS, Prompt
from pendesk.transports.mcp.tools import Toolbox
from pendesk.transports.server import Server
from tests.callers import create_first_workspace, find_local_actor


class Nothing(Input):
    pass


class Reply(Input):
    value: str | bool


class Text(Output):
    text: str


def simple_text(_call: Call, _args: Nothing) -> Text:
    return Text(text="This is a simple text response for testing.")


def error_handling(_call: Call, _args: Nothing) -> Text:
    raise RuleBroken("This tool intentionally returns an error for testing")


def ask(_call: Call, _args: Nothing) -> Text:
    return Text(text="What is your name?")


def reply(_call: Call, args: Reply) -> Text:
    return Text(text=f"state-ok: {args.value}")


def fixture(name: str, run: Any, kind: type[Input] = Nothing) -> AnyOperation:
    return Operation(
        name=name,
        title=name,
        description="For the conformance suite.",
        input=kind,
        output=Text,
        scope=Scope.SPECS_READ,
        role=Role.VIEWER,
        kind=Kind.READ,
        run=run,
    )


def form(name: str, field: str, schema: dict[str, Any]) -> Form:
    return Form(
        name=name,
        field=field,
        schema=schema,
        question=lambda output: Question("fixture", output.text),
        call_with_answer=lambda _about, value: ("reply", {"value": value}),
        call_without_answer=lambda _about: ("ask", {}),
    )


ASKING = {
    "test_input_required_result_elicitation": form("user_name", "name", {"type": "string"}),
    "test_input_required_result_request_state": form("confirm", "ok", {"type": "boolean"}),
    "test_input_required_result_tampered_state": form("confirm", "ok", {"type": "boolean"}),
    "test_streaming_elicitation": form("user_name", "name", {"type": "string"}),
}

FIXTURES = [
    fixture("test_simple_text", simple_text),
    fixture("test_error_handling", error_handling),
    fixture("test_logging_tool", simple_text),  # this layer never sends log messages
    *(fixture(name, ask) for name in ASKING),
]
BEHIND = [fixture("ask", ask), fixture("reply", reply, Reply)]

FIXTURE_PROMPTS = [
    Prompt("test_simple_prompt", "Simple", "For the suite.", {}, "This is a simple prompt for testing."),
    Prompt(
        "test_prompt_with_arguments",
        "With arguments",
        "For the suite.",
        {"arg1": "First test argument", "arg2": "Second test argument"},
        "Prompt with arguments:",
    ),
]


async def main(data: Path) -> None:
    settings = load(data_folder=str(data), options={"requests_per_minute": 100_000, "port": 0}, environ={})
    listener = open_listener(settings)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    async with open_service(settings, url, [*OPERATIONS, *FIXTURES, *BEHIND]) as service:
        await create_first_workspace(service.dispatcher, workspace="Conformance", name="Owner", email=None)
        local = LocalClient(service, await find_local_actor(service.dispatcher))
        token = (await local.call("create_token", name="Conformance"))["token"]
        prompts = PROMPTS | {prompt.name: prompt for prompt in FIXTURE_PROMPTS}
        app = create_app(service, Toolbox([*TOOLS, *FIXTURES], FORMS | ASKING, prompts))
        result = json.dumps({"url": url, "token": token})
        await Server(app, lambda: print(result, flush=True), service.feed.signal.close_and_wake_subscribers).serve(
            [listener]
        )


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
