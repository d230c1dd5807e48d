"""A workspace in which agents of several people and scopes meet refusals, and do what these advise."""

import re
import sys
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec
import pytest

from pendesk.domain import errors
from pendesk.domain.access import BUILDING_SCOPES, TOKEN_SCOPES, Actor, Role, Scope
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from pendesk.operations.operation import encode_json
from pendesk.operations.registry import OPERATIONS, TOOLS
from pendesk.transports.mcp.messages import Params
from pendesk.transports.mcp.methods import McpCall, call_tool
from pendesk.transports.mcp.tools import Toolbox
from tests.contract.refusal_sites import SOURCE, Site
from tests.desk import TestDesk
from tests.other_desk import OtherDesk
from tests.workbench import Work, next_door, published_spec

TOOLBOX = Toolbox(TOOLS)
SCOPE_OF_TOOL = {tool.name: tool.scope for tool in TOOLS}
OPERATION_NAME = re.compile(rf"\b({'|'.join(operation.name for operation in OPERATIONS if '_' in operation.name)})\b")
REF = r"[A-Z][A-Z0-9]+-\d+"
CLAIM_REFS = re.compile(rf"[Cc]laim ({REF}(?:(?:, | or ){REF})*)")
PLANNING_SCOPES = frozenset({Scope.DESK_READ, Scope.DESK_WRITE})
SHA = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"
SUBMITTED = {"pr_url": "https://git.example.com/1", "summary": "Done."}
PROGRESS = {"status": "started", "message": "At work."}

Arguments = dict[str, Any]


class Attempt(NamedTuple):
    """A call that is refused."""

    actor: Actor
    tool: str
    arguments: Arguments


class ToolAnswer(NamedTuple):
    refused: bool
    content: dict[str, Any]

    @property
    def message(self) -> str:
        text: str = self.content["error"]["message"]
        return text


Situation = Callable[["World"], Awaitable[Attempt]]
# What to send to a tool that a refusal names: several where it names several refs.
Follow = Callable[["World", Attempt, str], list[Arguments]]


class Row(NamedTuple):
    """One refusal. It names a tool that helps, or how to `retry` the same call, or says that a `person` must act."""

    situation: Situation
    site: Site
    retry: Arguments | Follow | None
    person: str
    follow: dict[str, Follow | Arguments]

    @property
    def name(self) -> str:
        return self.situation.__name__


def adding_to(rows: list[Row]) -> Callable[..., Any]:
    """The decorator of a situation, by which it becomes a row."""

    def refused_at(
        place: str,
        code: str,
        *,
        retry: Arguments | Follow | None = None,
        person: str = "",
        follow: dict[str, Any] | None = None,
    ) -> Any:
        def add(situation: Situation) -> Situation:
            rows.append(Row(situation, Site(place, code), retry, person, follow or {}))
            return situation

        return add

    return refused_at


class World:
    """Ada and Ben take part in the spec, Cleo does not. Each agent has a token and a terminal of its own."""

    def __init__(self, desk: TestDesk) -> None:
        self.desk = desk
        self.clock = desk.clock
        self.notes: dict[str, Any] = {}

    async def fill(self) -> "World":
        self.ada, self.ben, self.cleo = [await self.desk.person(name, Role.OWNER) for name in ("Ada", "Ben", "Cleo")]
        self.work: Work = await published_spec(self.desk, self.ada, actions=5, participants=(self.ben,))
        self.refs = [action["refCode"] for action in self.work.actions]
        self.pids = [action["pid"] for action in self.work.actions]
        self.key = self.refs[0].partition("-")[0]
        self.builder = await self.agent(self.ada, BUILDING_SCOPES)
        self.second = self.terminal(self.builder, "2")
        self.stranger = await self.agent(self.ben, BUILDING_SCOPES)
        self.outsider = await self.agent(self.cleo, BUILDING_SCOPES)
        self.planner = await self.agent(self.ada, PLANNING_SCOPES)
        self.stranger_planner = await self.agent(self.ben, PLANNING_SCOPES)
        self.both = await self.agent(self.ada, TOKEN_SCOPES)
        return self

    async def agent(self, person: Actor, scopes: frozenset[Scope]) -> Actor:
        name = f"{person.user_name} {len(self.notes.setdefault('tokens', []))}"
        token = await self.desk.call(person, "create_token", name=name, scopes=sorted(scopes))
        self.notes["tokens"].append(token)
        return self.terminal(person._replace(via="mcp", scopes=scopes, token_id=token["tokenId"]), "1")

    @staticmethod
    def terminal(agent: Actor, process: str, thread: str = "") -> Actor:
        marks = frozenset({make_mark(MarkKind.PROCESS, f"{agent.token_id}-{process}")})
        return agent._replace(origin=CallOrigin(client="claude-code", machine="laptop", marks=marks, thread=thread))

    async def other_server(self) -> OtherDesk:
        theirs = await next_door(self.desk)
        other = OtherDesk(theirs.dispatcher, await theirs.person("Nina"))
        self.desk.dispatcher.outbound = other
        return other

    async def do(self, actor: Actor, operation: str, **arguments: Any) -> dict[str, Any]:
        """Part of a situation, which must be accepted."""
        return await self.desk.call(actor, operation, **arguments)

    async def task(self, label: str = "A task", **fields: Any) -> str:
        """The ref code of a task without a spec, in a project of its own."""
        if "plain" not in self.notes:
            self.notes["plain"] = await self.do(self.ada, "create_project", name="Harbour")
        task = await self.do(self.ada, "create_task", project_id=self.plain, label=label, **fields)
        ref: str = task["refCode"]
        return ref

    @property
    def plain(self) -> str:
        key: str = self.notes["plain"]["key"]
        return key

    async def tool(self, attempt: Attempt) -> ToolAnswer:
        """As the MCP endpoint answers it."""
        params = Params(name=attempt.tool, arguments=msgspec.Raw(encode_json(attempt.arguments)))
        result = await call_tool(McpCall(self.desk.dispatcher, TOOLBOX, attempt.actor, params, stateless=False))
        return ToolAnswer(result.is_error, msgspec.json.decode(bytes(result.structured_content)))


def tools_named(message: str) -> list[str]:
    claim = ["claim_action"] if CLAIM_REFS.search(message) else []
    return list(dict.fromkeys([*OPERATION_NAME.findall(message), *claim]))


def refs_to_claim(message: str, attempt: Attempt) -> list[str]:
    """Those named; where the text says "claim it", what the refused call was about."""
    named = [ref for refs in CLAIM_REFS.findall(message) for ref in re.findall(REF, refs)]
    return named or [attempt.arguments.get("action_pid") or attempt.arguments["task_id"]]


def about_action(more: Arguments) -> Follow:
    return lambda _world, attempt, _message: [{"action_pid": attempt.arguments["action_pid"], **more}]


def about_project(world: World, attempt: Attempt, _message: str) -> list[Arguments]:
    return [{"project_id": attempt.arguments.get("project_id", world.key)}]


FOLLOW: dict[str, Follow] = {
    "claim_action": lambda _world, attempt, message: [{"action_pid": ref} for ref in refs_to_claim(message, attempt)],
    "get_action_brief": about_action({}),
    "submit_for_review": about_action(SUBMITTED),
    "resubmit_for_review": about_action(SUBMITTED),
    "release_action": lambda _world, _attempt, message: [
        {"action_pid": ref} for ref in re.findall(rf"Submit ({REF}), or release it", message)
    ],
    "list_available_specs": lambda *_: [{}],
    "list_projects": lambda *_: [{}],
    "get_project": about_project,
    "list_documents": about_project,
    "list_notes": about_project,
    "list_tasks": about_project,
    "get_task": lambda world, attempt, _message: [{"task_id": attempt.arguments.get("task_id", world.refs[0])}],
    "list_comments": about_project,
    "list_submissions": about_project,
    "get_next_task": about_project,
    "start_agent_run": about_project,
}


def follow_of(row: Row, tool: str, world: World, attempt: Attempt, message: str) -> list[Arguments]:
    follow = row.follow.get(tool) or FOLLOW[tool]
    return [follow] if isinstance(follow, dict) else follow(world, attempt, message)


@pytest.fixture
def refusal_places(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where refusals were made, as file:function, the newest last."""
    places: list[str] = []
    init = errors.Refusal.__init__

    def recording(self: errors.Refusal, *args: Any, **details: Any) -> None:
        frame = sys._getframe(1)
        while frame.f_code.co_filename == errors.__file__ and frame.f_back is not None:
            frame = frame.f_back
        file = frame.f_code.co_filename.removeprefix(f"{SOURCE}/")
        places.append(f"{file}:{frame.f_code.co_name}")
        init(self, *args, **details)

    monkeypatch.setattr(errors.Refusal, "__init__", recording)
    return places
