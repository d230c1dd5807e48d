"""A model stand-in that plays a fixed list of tool calls to a real client.

It speaks the Anthropic Messages API (Claude Code) and the OpenAI Responses API (Codex) on one
loopback port. The script is a JSON list of steps with plain tool names:

    [{"tool": "list_available_specs", "args": {}},
     {"tool": "claim_action", "args": {"action_pid": "$1.specs.0.actions.0.pid"}}]

Some names are no tools of the server: "shell" (with "command") and "write_file" (with "path" and "content") are the
client's own; "start_agent" (with "prompt") is Claude Code's, "spawn_agent" and "wait_agent" are Codex's, and a
sub-agent plays a script of its own; "say" (with "text") ends the turn, and the script goes on if the client asks for
more. An argument "$N.path" is replaced by that field of step N's result (steps count from 1, list items from 0); write
"$$" for a text that begins with a dollar sign. The position in the script is read from the conversation that the client
sends, so several clients may use one server.
"""

from __future__ import annotations

import argparse
import json
import re
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.clients.drive.common import server_name

FINISHED = "script finished"
SHELL, WRITE_FILE, START_AGENT, SAY = "shell", "write_file", "start_agent", "say"
SUB_AGENT_TOOLS = ("spawn_agent", "wait_agent")
STEP_ID = re.compile(r"step_(\d+)_[0-9a-f]+")
SPOKEN_STEP = re.compile(rf"{STEP_ID.pattern}\Z")
REFERENCE = re.compile(r"\$(\d+)((?:\.[^.]+)*)")
CODEX_PREAMBLE = re.compile(r"\A(?:Chunk ID: .*\n)?Wall time: .*\n(?:.+\n)*?Output:\n")

Json = dict[str, Any]
Stream = list[tuple[str, Json]]


class ScriptError(ValueError):
    """The script is malformed or refers to something that is not there."""


@dataclass(frozen=True)
class Step:
    """One tool call of the script, with references still unfilled."""

    tool: str
    args: Json


@dataclass(frozen=True)
class ToolCall:
    """One tool call as it is handed to the client."""

    call_id: str
    tool: str
    args: Json


@dataclass(frozen=True)
class ModelRequest:
    """What a client sent to the model: its conversation so far, and how many steps of the script have results in it.

    A side request (a title for the session, say) has none of the script's steps: None.
    """

    steps_done: int | None
    body: Json
    at: float  # seconds, by the monotonic clock

    @property
    def text(self) -> str:
        """All that the model reads, as it stands in the body."""
        return json.dumps(self.body, ensure_ascii=False)


@dataclass(frozen=True)
class ToolResult:
    """One tool result as the client handed it to the model."""

    step: int
    call_id: str
    text: str
    is_error: bool | None

    @property
    def json(self) -> Any:
        """Give the JSON object or list that the result begins with, or None."""
        text = CODEX_PREAMBLE.sub("", self.text)
        try:
            return json.JSONDecoder().raw_decode(text)[0] if text[:1] in ("{", "[") else None
        except ValueError:
            return None


# --- the script -----------------------------------------------------------------------------------


def load_script(path: Path) -> list[Step]:
    """Read and check a script file."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ScriptError(f"{path}: not JSON: {error}") from None
    if not isinstance(raw, list) or not raw:
        raise ScriptError(f"{path}: expected a list with at least one step")
    return [parse_step(number, item) for number, item in enumerate(raw, 1)]


def parse_step(number: int, item: Any) -> Step:
    """Check one step of the script, including that it refers to earlier steps only."""
    if not isinstance(item, dict) or set(item) - {"tool", "args"}:
        raise ScriptError(f'step {number}: expected {{"tool": ..., "args": {{...}}}}, got {item!r}')
    tool, args = item.get("tool"), item.get("args", {})
    if not isinstance(tool, str) or not tool or not isinstance(args, dict):
        raise ScriptError(f"step {number}: tool must be a name and args an object")
    for reference in references(args):
        if not 0 < int(reference[1]) < number:
            raise ScriptError(f"step {number}: {reference[0]} does not name an earlier step")
    return Step(tool, args)


def references(value: Any) -> Iterator[re.Match[str]]:
    """Yield every reference inside an argument value."""
    if isinstance(value, str) and (match := REFERENCE.fullmatch(value)):
        yield match
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from references(item)


def fill(value: Any, results: list[ToolResult]) -> Any:
    """Copy an argument value with every reference replaced from the earlier results."""
    if isinstance(value, dict):
        return {key: fill(item, results) for key, item in value.items()}
    if isinstance(value, list):
        return [fill(item, results) for item in value]
    if isinstance(value, str) and value.startswith("$$"):
        return value[1:]
    if isinstance(value, str) and (match := REFERENCE.fullmatch(value)):
        return look_up(value, results[int(match[1]) - 1], match[2].split(".")[1:])
    return value


def look_up(reference: str, result: ToolResult, path: list[str]) -> Any:
    """Follow a path of field names and list positions into a result."""
    value = result.json
    if value is None:
        raise ScriptError(f"{reference}: step {result.step} gave no JSON: {result.text[:200]}")
    for key in path:
        try:
            value = value[int(key)] if isinstance(value, list) else value[key]
        except (KeyError, IndexError, TypeError, ValueError):
            raise ScriptError(f"{reference}: no {key!r} in {json.dumps(value)[:200]}") from None
    return value


class Player:
    """Decides the next move from the tool results of a conversation, and keeps the log."""

    def __init__(
        self,
        steps: list[Step],
        server: str,
        log: Callable[[Json], object],
        requests: list[ModelRequest] | None = None,
    ) -> None:
        self.steps = steps
        self.server = server
        self.requests: list[ModelRequest] = [] if requests is None else requests
        self._log = log
        self._logged: set[str] = set()
        self._offered = False
        self._lock = threading.Lock()

    def next_move(self, api: str, results: list[ToolResult]) -> ToolCall | str:
        """Give the next tool call, or the closing text."""
        self._record_results(api, results)
        number = len(results) + 1
        if number > len(self.steps):
            self.record(event="end", api=api, text=FINISHED)
            return FINISHED
        step = self.steps[number - 1]
        try:
            args = fill(step.args, results)
        except ScriptError as error:
            self.record(event="stopped", api=api, step=number, tool=step.tool, reason=str(error))
            return f"script stopped at step {number}: {error}"
        self.record(event="call", api=api, step=number, tool=step.tool, args=args)
        call_id = f"step_{number}_{secrets.token_hex(6)}"
        return f"{args['text']} {call_id}" if step.tool == SAY else ToolCall(call_id, step.tool, args)

    def _record_results(self, api: str, results: list[ToolResult]) -> None:
        """Log the results that were not logged yet (each request repeats the earlier ones)."""
        for result in results:
            with self._lock:
                known = result.call_id in self._logged
                self._logged.add(result.call_id)
            if not known:
                tool = self.steps[result.step - 1].tool
                self.record(
                    event="result",
                    api=api,
                    step=result.step,
                    tool=tool,
                    is_error=result.is_error,
                    json=result.json,
                    text=result.text,
                )

    def record_offer(self, tools: list[Json]) -> None:
        """Log, once, the server's tools that the client offers to the model. Claude Code lets it search for them."""
        namespace = next((tool for tool in tools if tool.get("name") == "mcp__" + self.server.replace("-", "_")), None)
        if namespace and not self._offered:
            self._offered = True
            self.record(event="offered", tools=[tool["name"] for tool in namespace["tools"]])

    def record(self, **event: Any) -> None:
        """Hand one event to the log."""
        with self._lock:
            self._log(event)


def plain_text(content: Any) -> str:
    """Join the text parts of a content value that may be a text or a list of parts."""
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""


def spoken_steps(texts: Iterator[str]) -> list[ToolResult]:
    """Give the steps that ended a turn: their text in the conversation is their result."""
    return [ToolResult(int(match[1]), match[0], text, False) for text in texts if (match := SPOKEN_STEP.search(text))]


def in_order(results: list[ToolResult]) -> list[ToolResult]:
    """Sort by step."""
    return sorted(results, key=lambda result: result.step)


def own_result(call_id: str, content: Any, is_error: bool | None) -> Iterator[ToolResult]:
    """Yield the result if it answers one of the script's calls."""
    if match := STEP_ID.fullmatch(call_id):
        yield ToolResult(int(match[1]), call_id, plain_text(content), is_error)


# --- Anthropic Messages API -----------------------------------------------------------------------


def anthropic_results(body: Json) -> list[ToolResult]:
    """Collect the results of the script's calls from a Messages API request."""
    blocks = [
        block
        for message in body.get("messages", [])
        if isinstance(message["content"], list)
        for block in message["content"]
        if block.get("type") == "tool_result"
    ]
    results = [
        result
        for block in blocks
        for result in own_result(block["tool_use_id"], block.get("content"), bool(block.get("is_error")))
    ]
    texts = (plain_text(message["content"]) for message in body.get("messages", []) if message["role"] == "assistant")
    return in_order(results + spoken_steps(texts))


CLAUDE_TOOLS: dict[str, Callable[[Json], tuple[str, Json]]] = {
    SHELL: lambda args: ("Bash", {"description": "A step of the script", **args}),
    WRITE_FILE: lambda args: ("Write", {"file_path": args["path"], "content": args["content"]}),
    START_AGENT: lambda args: (
        "Agent",
        {"description": "A part of the script", "subagent_type": "general-purpose", "run_in_background": False, **args},
    ),
}


def claude_function(move: ToolCall, server: str) -> tuple[str, Json]:
    """Name the tool that a step calls, with its arguments."""
    own_tool = CLAUDE_TOOLS.get(move.tool)
    return own_tool(move.args) if own_tool else (f"mcp__{server}__{move.tool}", move.args)


def anthropic_message(body: Json, move: ToolCall | str, server: str) -> Json:
    """Build the answer to a Messages API request."""
    block: Json = {"type": "text", "text": move}
    if isinstance(move, ToolCall):
        name, args = claude_function(move, server)
        block = {"type": "tool_use", "id": move.call_id, "name": name, "input": args}
    return {
        "id": f"msg_{secrets.token_hex(8)}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": [block],
        "stop_reason": "end_turn" if block["type"] == "text" else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def anthropic_events(message: Json) -> Stream:
    """Split a whole message into the events of a stream."""
    block = message["content"][0]
    if block["type"] == "text":
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [
        ("message_start", {"message": {**message, "content": [], "stop_reason": None}}),
        ("content_block_start", {"index": 0, "content_block": empty}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": stop, "usage": {"output_tokens": 1}}),
        ("message_stop", {}),
    ]


# --- OpenAI Responses API -------------------------------------------------------------------------


def openai_results(body: Json) -> list[ToolResult]:
    """Collect the results of the script's calls from a Responses API request."""
    items = [item for item in body.get("input", []) if isinstance(item, dict)]
    outputs = [item for item in items if item.get("type") in ("function_call_output", "custom_tool_call_output")]
    results = [result for item in outputs for result in own_result(item["call_id"], item.get("output"), None)]
    texts = (plain_text(item["content"]) for item in items if item.get("role") == "assistant")
    return in_order(results + spoken_steps(texts))


def openai_response(body: Json, move: ToolCall | str, server: str) -> Json:
    """Build the answer to a Responses API request."""
    if isinstance(move, str):
        part = {"type": "output_text", "text": move, "annotations": []}
        item = {
            "type": "message",
            "id": f"msg_{secrets.token_hex(8)}",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }
    else:
        item = {
            "type": "function_call",
            "id": f"fc_{secrets.token_hex(8)}",
            "status": "completed",
            "call_id": move.call_id,
            **openai_function(move, server),
        }
    usage = {
        "input_tokens": 1,
        "output_tokens": 1,
        "total_tokens": 2,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return {
        "id": f"resp_{secrets.token_hex(8)}",
        "object": "response",
        "status": "completed",
        "model": body.get("model", "scripted"),
        "output": [item],
        "usage": usage,
    }


def openai_function(move: ToolCall, server: str) -> Json:
    """Name the function that a step calls, with its arguments."""
    if move.tool in (SHELL, WRITE_FILE):
        command = move.args["command"] if move.tool == SHELL else codex_patch(**move.args)
        return {"name": "exec_command", "arguments": json.dumps({"cmd": command})}
    namespace = "multi_agent_v1" if move.tool in SUB_AGENT_TOOLS else "mcp__" + server.replace("-", "_")
    return {"namespace": namespace, "name": move.tool, "arguments": json.dumps(move.args)}


def codex_patch(path: str, content: str) -> str:
    """Write a new file with Codex's own patch tool, which a model that it does not know calls in the shell."""
    lines = "".join(f"+{line}\n" for line in content.splitlines())
    return f"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\nEOF"


def openai_events(response: Json) -> Stream:
    """Split a whole response into the events of a stream."""
    item = response["output"][0]
    started = {**response, "status": "in_progress", "output": [], "usage": None}
    return [
        ("response.created", {"response": started}),
        ("response.output_item.added", {"output_index": 0, "item": item}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": response}),
    ]


# --- the server -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Api:
    """How one model API is read and written."""

    name: str
    results: Callable[[Json], list[ToolResult]]
    answer: Callable[[Json, ToolCall | str, str], Json]
    stream: Callable[[Json], Stream]


APIS = {
    "/messages": Api("anthropic", anthropic_results, anthropic_message, anthropic_events),
    "/responses": Api("openai", openai_results, openai_response, openai_events),
}


class Handler(BaseHTTPRequestHandler):
    """Answers both model APIs from the server's player."""

    server: ModelServer

    def do_POST(self) -> None:
        """Answer a model request, or the token count that clients sometimes ask for."""
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        path = self.path.partition("?")[0]
        api = next((api for suffix, api in APIS.items() if path.endswith(suffix)), None)
        if api:
            self._play(api, body)
        elif path.endswith("/count_tokens"):
            self._send_json({"input_tokens": 1})
        else:
            self._unknown()

    def do_GET(self) -> None:
        """Answer a look at the list of models with an empty one."""
        if self.path.partition("?")[0].endswith("/models"):
            self._send_json({"data": [], "models": []})
        else:
            self._unknown()

    def do_HEAD(self) -> None:
        """Answer a connectivity check."""
        self._send(b"", "text/plain")

    def _play(self, api: Api, body: Json) -> None:
        """Send the next move; a side request, which has no tools, gets a short text."""
        arrived = time.perf_counter()
        player = self.server.player_of(body)
        results = api.results(body) if body.get("tools") else None
        player.requests.append(ModelRequest(None if results is None else len(results), body, arrived))
        player.record_offer(body.get("tools") or [])
        move = "ok" if results is None else player.next_move(api.name, results)
        answer = api.answer(body, move, player.server)
        if not body.get("stream"):
            self._send_json(answer)
            return
        events = (f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n" for name, data in api.stream(answer))
        self._send("".join(events).encode(), "text/event-stream")

    def _unknown(self) -> None:
        """Refuse and log a request that no client was seen to need."""
        self.server.player.record(event="unknown", method=self.command, path=self.path)
        self._send_json({"error": {"type": "not_found_error", "message": "unknown path"}}, 404)

    def _send_json(self, value: Any, status: int = 200) -> None:
        self._send(json.dumps(value).encode(), "application/json", status)

    def _send(self, body: bytes, content_type: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Keep the standard request log quiet."""


class ModelServer(ThreadingHTTPServer):
    """The loopback server that plays one script, and another to conversations that do not begin with the prompt."""

    def __init__(self, port: int, player: Player, prompt: str = "", sub_agent: Player | None = None) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.player = player
        self.prompt = prompt
        self.sub_agent = sub_agent

    def player_of(self, body: Json) -> Player:
        """Give the player of the conversation that a request belongs to."""
        if self.sub_agent is None or self.prompt in json.dumps(body.get("input") or body.get("messages", "")):
            return self.player
        return self.sub_agent

    @property
    def url(self) -> str:
        """Give the address that clients use."""
        return f"http://127.0.0.1:{self.server_port}"


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, required=True, help="loopback port; 0 picks a free one")
    parser.add_argument("--script", type=Path, required=True, help="JSON list of steps")
    parser.add_argument(
        "--server", type=server_name, default="pendesk", help="the MCP server's name in the client (default: pendesk)"
    )
    parser.add_argument("--log", type=Path, help="file for the JSON lines (default: stdout)")
    args = parser.parse_args()
    try:
        steps = load_script(args.script)
    except (ScriptError, OSError) as error:
        parser.error(str(error))
    log = args.log.open("a", encoding="utf-8") if args.log else sys.stdout
    write = partial(print, file=log, flush=True)
    player = Player(steps, args.server, lambda event: write(json.dumps(event)))
    with log, ModelServer(args.port, player) as server:
        print(f"scripted model on {server.url}", file=sys.stderr)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
