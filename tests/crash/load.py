"""Agents at work through the dispatcher, telling what they try before and what they were answered after each call."""

import asyncio
import itertools
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.action import Action, ActionState
from pendesk.domain.criterion import Criterion, CriterionStatus
from pendesk.domain.errors import Refusal, Unavailable
from pendesk.domain.limits import Limits
from pendesk.domain.people import Member, User, Workspace
from pendesk.domain.project import Project
from pendesk.ids import new_id
from pendesk.operations.dispatch import Dispatcher, Store
from pendesk.operations.operation import Installation, encode_json
from pendesk.operations.registry import OPERATIONS
from pendesk.store import actions, criteria, people, projects
from pendesk.store.engine.tx import Tx
from tests.desk import FILES

AGENTS = 8
CRITERIA = 2
OPEN_ACTIONS = 6

TODO = "SELECT id FROM actions WHERE workspace_id = :workspace AND state = 'todo'"
HELD = """
SELECT c.action_id, c.id FROM claims c
WHERE c.workspace_id = :workspace AND c.user_id = :user_id AND c.state = 'active'
"""
CRITERIA_OF = "SELECT id FROM criteria WHERE workspace_id = :workspace AND action_id = :action_id"
UNANSWERED = """
SELECT id FROM clarifications WHERE workspace_id = :workspace AND action_id = :action_id AND answer IS NULL
"""
SEEDED = "SELECT 1 FROM projects WHERE workspace_id = :workspace"


class World(NamedTuple):
    """Who and where, decided before the first start so that every start agrees."""

    workspace: str
    project: str
    users: list[str]

    @classmethod
    def new(cls) -> "World":
        return cls(new_id(), new_id(), [new_id() for _ in range(AGENTS)])


class Told(NamedTuple):
    """One line to the keeper of the ledger. `said` is try, ack, no (refused: nothing was changed) or unknown."""

    said: str
    key: str
    agent: int
    operation: str
    arguments: dict[str, Any]
    answer: dict[str, Any] = {}


Tell = Callable[[Told], None]


async def seed(store: Store, world: World) -> None:
    """The people and the project, in one transaction, unless an earlier start has done it."""

    def work(tx: Tx) -> None:
        if tx.one(SEEDED) is not None:
            return
        people.add_workspace(tx, Workspace(world.workspace, "Crash", tx.now))
        for number, user_id in enumerate(world.users):
            email = f"{user_id}@example.com"
            people.add_user(tx, User(user_id, "person", email, f"Agent {number}", None, tx.now))
            people.add_member(tx, Member(user_id, "member", tx.now, None))
        project = Project(
            id=world.project,
            key="CR",
            name="Crash",
            description="",
            state="active",
            repository_url=None,
            last_ref=0,
            revision=1,
            created_by=world.users[0],
            created_at=tx.now,
            updated_at=tx.now,
        )
        projects.add(tx, project)

    await store.write(world.workspace, work)


def add_action(tx: Tx, world: World) -> str:
    projects.lock(tx, world.project)
    project = projects.by_id(tx, world.project)
    assert project is not None
    action = Action(
        id=new_id(),
        project_id=project.id,
        spec_id=None,
        plan_id=None,
        ref_number=projects.allocate_action_ref_number(tx, project),
        label="Something to do",
        description="",
        area="",
        paths="[]",
        state=ActionState.TODO,
        state_reason=None,
        priority=0,
        position=0,
        x=None,
        y=None,
        fence=0,
        claim_id=None,
        news_event_id=0,
        revision=1,
        created_by=world.users[0],
        created_at=tx.now,
        updated_at=tx.now,
    )
    actions.add(tx, action)
    for position in range(CRITERIA):
        criteria.add(tx, Criterion(new_id(), action.id, position, "It works", CriterionStatus.PENDING, 1, None))
    return action.id


class Load:
    def __init__(self, store: Store, world: World, tell: Tell, chance: random.Random) -> None:
        self._store = store
        self._world = world
        self._tell = tell
        self._chance = chance
        self._dispatcher = Dispatcher(
            store, OPERATIONS, Installation(Limits(), b"a signing key for tests", "http://127.0.0.1:3847", FILES)
        )
        self._run = new_id()
        self._numbers = itertools.count(1)

    async def run(self, repeats: list[Told], calls: int | None = None) -> None:
        """First what earlier starts left open, then every agent by itself: for ever, or that many calls each."""
        for told in repeats:
            await self.say(told.agent, told.operation, told.arguments)
        await asyncio.gather(*(self._agent(agent, calls) for agent in range(AGENTS)))

    async def _agent(self, agent: int, calls: int | None) -> None:
        for _ in itertools.count() if calls is None else range(calls):
            try:
                await self._step(agent)
            except Unavailable:  # from a read between the calls
                await asyncio.sleep(0.01)

    async def _step(self, agent: int) -> None:
        user = self._world.users[agent]
        held = await self._read(HELD, user_id=user)
        if not held or (len(held) < 3 and self._chance.random() < 0.2):
            await self._claim(agent)
            return
        action, claim = self._chance.choice(held)
        at = {"action_pid": action, "claim_id": claim}
        unique = f"{self._run}-{next(self._numbers)}"
        dice = self._chance.random()
        if dice < 0.4:
            await self.say(agent, "update_progress", {**at, "status": "started", "message": unique})
        elif dice < 0.6:
            ids = [row[0] for row in await self._read(CRITERIA_OF, action_id=action)]
            picked = self._chance.sample(ids, self._chance.randrange(len(ids) + 1))
            sha = self._chance.randbytes(20).hex()
            await self.say(agent, "report_commit", {**at, "sha": sha, "message": unique, "criterion_ids": picked})
        elif dice < 0.72:
            ids = [row[0] for row in await self._read(CRITERIA_OF, action_id=action)]
            tested = {"criterion_id": self._chance.choice(ids), "outcome": self._chance.choice(["passed", "failed"])}
            await self.say(agent, "report_test_result", {**at, **tested, "evidence": unique})
        elif dice < 0.84:
            await self.say(agent, "request_clarification", {**at, "question": unique})
        elif dice < 0.96:
            for (question,) in await self._read(UNANSWERED, action_id=action):
                answer = f"{unique}-{question}"
                await self.say(agent, "answer_clarification", {"clarification_pid": question, "answer": answer})
            handed = {"pr_url": "https://example.com/pull/1", "summary": unique}
            await self.say(agent, "submit_for_review", {**at, **handed})
        else:
            await self.say(agent, "release_action", at)

    async def _claim(self, agent: int) -> None:
        free = [row[0] for row in await self._read(TODO)]
        if len(free) < OPEN_ACTIONS:
            free.append(await self._store.write(self._world.workspace, lambda tx: add_action(tx, self._world)))
        await self.say(agent, "claim_action", {"action_pid": self._chance.choice(free)})

    async def say(self, agent: int, operation: str, arguments: dict[str, Any]) -> None:
        """One call, repeated under the same key for as long as nobody can say whether it was saved."""
        arguments = {"idempotency_key": f"{self._run}-{next(self._numbers)}", **arguments}
        while (await self.once(agent, operation, arguments)).said == "unknown":
            pass

    async def once(self, agent: int, operation: str, arguments: dict[str, Any]) -> Told:
        told = Told("try", arguments["idempotency_key"], agent, operation, arguments)
        user = self._world.users[agent]
        actor = Actor(self._world.workspace, user, f"Agent {agent}", Role.MEMBER, ALL_SCOPES, "mcp")
        self._tell(told)
        try:
            answer = await self._dispatcher.call(actor, operation, arguments)
            told = told._replace(said="ack", answer=msgspec.json.decode(encode_json(answer)))
        except Refusal as refusal:
            said = "unknown" if refusal.code == "outcome_unknown" else "no"
            told = told._replace(said=said, answer={"code": refusal.code, "message": refusal.message})
        self._tell(told)
        return told

    async def _read(self, sql: str, **params: Any) -> list[tuple[Any, ...]]:
        return await self._store.read(self._world.workspace, lambda tx: tx.all(sql, **params))
