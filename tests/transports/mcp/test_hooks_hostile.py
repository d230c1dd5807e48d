"""Hook calls of somebody who means harm, or of a client gone mad: nothing is shown, nothing saved, nobody disturbed."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from pendesk.domain.errors import RuleBroken
from pendesk.domain.limits import MESSAGES_QUEUED, Limits
from pendesk.ids import new_id
from pendesk.store.engine import sqlite
from tests.e2e.server import RunningServer, pendesk
from tests.patience import PATIENCE_S
from tests.transports.mcp.wire import MODERN, People, Wire, message, token_of
from tests.transports.served import Served, serving
from tests.workbench import Work, published_spec

TOOL = "session_event"
EMPTY: dict[str, Any] = {}


async def hook(wire: Wire, event: Any = "PostToolBatch", session: Any = "terminal-1", **fields: Any) -> Any:
    """What the client would act on."""
    arguments = {"event": event, "session": session, **fields}
    result = await wire.result("tools/call", name=TOOL, arguments=arguments)
    assert result["isError"] is False
    [content] = result["content"]
    return json.loads(content["text"])


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """Of each test its own: it looks at all that is saved."""
    async with serving(tmp_path / "data") as running:
        yield running


@pytest.fixture
async def work(people: People, agent: str) -> Work:
    return await published_spec(people, people.owner, participants=(people.owner._replace(user_id=agent),))


@pytest.fixture
async def stranger(served: Served, people: People) -> Wire:
    """Another user's token."""
    user = (await people.does("create_user", name="Mallory", kind="agent"))["userId"]
    return Wire(served.http, await token_of(served, user_pid=user))


async def sessions(people: People) -> list[dict[str, Any]]:
    return [session for agent in (await people.does("list_agents"))["agents"] for session in agent["sessions"]]


async def rows(served: Served, table: str) -> int:
    sql = f"SELECT count(*) AS rows FROM {table} WHERE workspace_id = :workspace"
    counted = await served.service.dispatcher.store.read(served.owner.workspace_id, lambda tx: tx.one(sql))
    count: int = counted[0]
    return count


# Somebody else's session


async def test_the_mark_of_another_users_session_shows_and_changes_nothing(
    people: People, work: Work, modern: Wire, stranger: Wire
):
    await hook(modern, "UserPromptSubmit")
    [session] = await sessions(people)
    await people.does("send_message", agent_session_id=session["pid"], text="For its agent alone.")
    await people.does("pause_session", agent_session_id=session["pid"])
    for event in ("UserPromptSubmit", "PreToolUse", "PostToolBatch", "Stop", "SessionEnd"):
        assert await hook(stranger, event) == EMPTY
    [after, _of_stranger] = sorted(await sessions(people), key=lambda row: row["pid"] != session["pid"])
    assert (after["pid"], after["ended"]) == (session["pid"], False)
    assert (await hook(modern))["continue"] is False
    await people.does("resume_session", agent_session_id=session["pid"])
    assert "For its agent alone." in json.dumps(await hook(modern))


async def test_a_tool_use_of_another_user_joins_no_call_to_their_session(
    people: People, work: Work, modern: Wire, stranger: Wire
):
    """Who guesses an id does not get their call into another's session, nor another's into theirs."""
    await hook(stranger, "PreToolUse", "of-the-stranger", tool="mcp__pendesk__claim_action", tool_use_id="toolu_1")
    body, headers = message(MODERN, "tools/call", name="claim_action", arguments={"action_pid": "PEN-1"})
    body["params"]["_meta"]["claudecode/toolUseId"] = "toolu_1"
    assert (await modern.post(body, headers)).json()["result"]["isError"] is False
    [holder] = [session for session in await sessions(people) if session["held"]]
    await hook(stranger, "SessionEnd", "of-the-stranger")
    [after] = [session for session in await sessions(people) if session["pid"] == holder["pid"]]
    assert after["ended"] is False


# A flood


async def test_a_flood_is_answered_with_nothing_and_leaves_the_limit_of_calls_alone(served: Served, modern: Wire):
    limits = Limits()
    flood = limits.hook_calls_per_minute + 100
    for _ in range(flood):
        assert await hook(modern, tool="Bash", command="make test") == EMPTY
    calls = [await modern.ask("tools/list") for _ in range(limits.requests_per_minute + 1)]
    assert [answer.status_code for answer in calls] == [200] * limits.requests_per_minute + [429]
    assert await hook(modern) == EMPTY


async def test_what_is_beyond_the_limit_takes_no_news(people: People, modern: Wire):
    await hook(modern)
    [session] = await sessions(people)
    for _ in range(Limits().hook_calls_per_minute):
        await hook(modern)
    await people.does("send_message", agent_session_id=session["pid"], text="Still to be read.")
    assert await hook(modern) == EMPTY
    body, headers = message(MODERN, "tools/call", name="list_available_specs", arguments={})
    answer = await modern.post(body, {**headers, "X-Pendesk-Client-Session": "claude-code:terminal-1"})
    assert "Still to be read." in answer.text


async def test_a_hook_call_that_wants_no_answer_counts_like_any_other(modern: Wire):
    """As a notification; else there would be a call without any limit."""
    body, headers = message(MODERN, "tools/call", name=TOOL, arguments={"event": "Stop", "session": "s"})
    del body["id"]
    limit = Limits().requests_per_minute
    answers = [(await modern.post(body, headers)).status_code for _ in range(limit + 1)]
    assert answers == [202] * limit + [429]


# What is no hook call


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


NONSENSE: dict[str, Any] = {
    "no event": {},
    "no text": {"event": 7, "session": "s"},
    "a list": {"event": ["Stop"], "session": "s"},
    "an object": {"event": {"Stop": 1}, "session": "s"},
    "nothing": {"event": None, "session": None},
    "an unknown event": {"event": "Explode", "session": "s"},
    "an event in other letters": {"event": "posttoolbatch", "session": "s"},
    "an invisible character in the event": {"event": "Post\u200bToolBatch", "session": "s"},
    "a huge event": {"event": "x" * 900_000, "session": "s"},
    "a deep event": {"event": nested(200), "session": "s"},
}


@pytest.mark.parametrize("arguments", NONSENSE.values(), ids=NONSENSE)
async def test_what_is_no_event_is_answered_with_nothing_and_saves_nothing(
    served: Served, modern: Wire, people: People, arguments: dict[str, Any]
):
    result = await modern.call(TOOL, **arguments)
    assert [json.loads(content["text"]) for content in result["content"]] == [EMPTY]
    assert await sessions(people) == []
    assert (await modern.ask("tools/list")).status_code == 200


STRANGE: dict[str, Any] = {
    "a number": 7,
    "a list": ["a"],
    "an object": {"a": 1},
    "true": True,
    "nothing": None,
    "deep": nested(200),
    "long": "x" * 200_000,
    "invisible": "a\u200b\u202e\U000e0041\x00\x1b[31mb",
    "a lone surrogate": "\ud800",
    "lines": "first\nsecond\r\nthird\u2028fourth",
}
FIELDS = ("session", "agent", "agent_type", "tool", "tool_use_id", "file", "command", "project", "background", "other")


@pytest.mark.parametrize("value", STRANGE.values(), ids=STRANGE)
async def test_strange_fields_disturb_nobody(served: Served, modern: Wire, value: Any):
    for field in FIELDS:
        body, headers = message(MODERN, "tools/call", name=TOOL)
        body["params"]["arguments"] = {"event": "PreToolUse", "session": "s", field: value}
        answer = await modern.post(json.dumps(body).encode(), {**headers, "Content-Type": "application/json"})
        assert answer.status_code in (200, 400), answer.text  # 400: what no JSON-RPC message may hold
    assert await hook(modern) == EMPTY


async def test_arguments_that_are_no_object(served: Served, modern: Wire):
    strange: list[Any] = [[], "Stop", 7, None, nested(500)]
    for arguments in strange:
        body, headers = message(MODERN, "tools/call", name=TOOL)
        body["params"]["arguments"] = arguments
        answer = await modern.post(json.dumps(body).encode(), {**headers, "Content-Type": "application/json"})
        assert answer.status_code in (200, 400), answer.text
    assert await hook(modern) == EMPTY


# Ten thousand messages


async def test_of_ten_thousand_messages_few_wait_and_the_agent_reads_them_in_bits(
    served: Served, people: People, modern: Wire
):
    await hook(modern)
    [session] = await sessions(people)

    async def send(number: int) -> bool:
        try:
            await people.does("send_message", agent_session_id=session["pid"], text=f"Word {number}. " + "x" * 900)
        except RuleBroken as refusal:
            if refusal.code != "too_many_queued":
                raise
            return False
        return True

    sent = [await send(number) for number in range(MESSAGES_QUEUED)]
    for start in range(0, 10_000, 500):
        sent += await asyncio.gather(*(send(number) for number in range(start, start + 500)))
    assert sum(sent) == MESSAGES_QUEUED
    assert await rows(served, "messages") == MESSAGES_QUEUED
    answers = [json.dumps(await hook(modern)) for _ in range(MESSAGES_QUEUED)]
    assert sum(answer.count("Word ") for answer in answers) == MESSAGES_QUEUED
    assert max(map(len, answers)) < 20_000
    assert answers[-1] == "{}"


# Secrets


CANARY = "kanarienvogel"


def canary(number: int) -> str:
    return f"{CANARY}{number:02d}"


# Wherever a hook call could carry what nobody wants saved; what is saved of each command is its plain first words.
COMMANDS = [
    f'git commit -m "{canary(1)}"',
    f"curl -H 'Authorization: Bearer {canary(2)}' https://{canary(3)}.example.com",
    f"TOKEN={canary(4)} make deploy",
    f"mysql --password={canary(5)} -u root",
    f"echo one two three four five {canary(6)}",
    f"ls\n{canary(7)}",
    f"psql postgresql://me:{canary(8)}@db/x",
    f"cat <<EOF\n{canary(9)}\nEOF",
    f"export API_KEY={canary(10)}",
]
UNKNOWN = {
    "tool_response": canary(20),
    "tool_input": {"content": canary(21), "old_string": canary(22)},
    "tool_calls": [{"tool_response": canary(23)}],
    "prompt": canary(24),
    "last_assistant_message": canary(25),
    "transcript_path": canary(26),
    canary(27): "a name",
}
META = {
    "progressToken": canary(40),
    "x-codex-turn-metadata": {"workspaces": {f"/home/{canary(41)}": {}}, "sandbox_mode": canary(42)},
    "windowId": canary(43),
    canary(44): "a name",
}
HEADERS = {"X-Api-Key": canary(60), "Cookie": f"session={canary(61)}", "Referer": f"http://127.0.0.1/{canary(62)}"}


def calls() -> list[dict[str, Any]]:
    fields = [{"command": command} for command in COMMANDS]
    fields += [
        {"file": f"src/a.py\n{canary(80)}", "command": canary(81)},
        {"tool": f"Bash\n{canary(82)}"},
        {"agent_type": f"general\n{canary(83)}", "agent": "a1"},
        {"project": canary(84)},
        {"tool_use_id": canary(85)},
        {"background": canary(86)},
    ]
    step = {"event": "PreToolUse", "session": "canary-session", "tool": "Bash"}
    named = [{**step, **own, **UNKNOWN} for own in fields]
    others = ["UserPromptSubmit", "PostToolBatch", "PermissionRequest", "SubagentStart", "SubagentStop", "Stop"]
    return named + [{**step, "event": event, **UNKNOWN} for event in others] + [{**step, "event": canary(87)}]


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str | None:
    if request.param == "sqlite":
        return None
    url: str = request.getfixturevalue("postgres").create_database(f"canary_{new_id().replace('-', '')}")
    return url


def saved_rows(data: Path, url: str | None) -> dict[str, list[Any]]:
    """Every row of every table."""
    if url is None:
        file = sqlite.connect(data / "pendesk.sqlite3")
        names = [str(row[0]) for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
        tables = {name: list(file.execute(f'SELECT * FROM "{name}"').fetchall()) for name in names}
        file.close()
        return tables
    listed = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
    with psycopg.connect(url) as link:
        names = [str(row[0]) for row in link.execute(listed).fetchall()]
        return {name: list(link.execute(f'SELECT * FROM "{name}"'.encode()).fetchall()) for name in names}


def wait_until_saved(read: Callable[[], dict[str, list[Any]]], steps: int) -> dict[str, list[Any]]:
    """Steps are saved a moment after the answer."""
    deadline = time.monotonic() + PATIENCE_S
    while len((tables := read())["session_steps"]) < steps and time.monotonic() < deadline:
        time.sleep(0.05)
    return tables


def test_nothing_but_the_named_fields_is_saved_or_logged(tmp_path: Path, database: str | None):
    data = tmp_path / "data"
    environ = {"PENDESK_DATABASE_URL": database} if database else {}
    with RunningServer(data, **environ) as server:
        server.ready()
        token = pendesk(data, "token", "create", "--name", "hooks", **environ).strip()
        with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {token}", **HEADERS}) as http:
            for arguments in calls():
                body, headers = message(MODERN, "tools/call", name=TOOL, arguments=arguments)
                body["params"]["_meta"] |= META
                assert http.post("/mcp", json=body, headers=headers).status_code == 200
        tables = wait_until_saved(lambda: saved_rows(data, database), len(COMMANDS))
        assert server.stop() == 0
    details = {row[column] for row in tables["session_steps"] for column in range(len(row)) if row[column]}
    assert {"git commit", "make deploy", "curl", "src/a.py", "ls"} <= details
    assert [name for name, saved in tables.items() if CANARY in repr(saved)] == []
    assert [name for name, saved in tables.items() if token in repr(saved)] == []
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in files if CANARY.encode() in path.read_bytes()] == []
    assert CANARY not in server.log + server.out
