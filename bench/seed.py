"""A desk of any size, filled by bulk SQL: 100, 10,000 or 1,000,000 actions, on either engine.

Ids are counted, not drawn, so that a load generator that cannot look anything up (pgbench) can name them. The
number comes first in an id, as the time does in a real one: rows made together lie together.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from pendesk import clock
from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.action import Action, ActionState
from pendesk.domain.build import Build, BuildAction, brief_revision_hash
from pendesk.domain.criterion import Criterion, CriterionStatus
from pendesk.domain.event import LoggedEvent
from pendesk.domain.people import Member, Token, User, Workspace
from pendesk.domain.project import Plan, Project, Spec
from pendesk.domain.token import hash_secret
from pendesk.store.engine import sqlite
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.migrate import migrate

AGENTS = 128
SPEC_ACTIONS = 20
PROJECT_ACTIONS = 10_000
ACTION_CRITERIA = 3
# Only so many actions get criteria: what is never claimed needs none.
CLAIMABLE = 40_000

WORKSPACE, USER, PROJECT, SPEC, PLAN, BUILD, ACTION, CRITERION = range(8)

SENTENCE = "The server answers only after the commit, and says what to do next in one plain sentence. "
AREAS = ("backend", "frontend", "database", "docs")


class Shape(NamedTuple):
    actions: int
    workspaces: int = 1

    @property
    def actions_per_workspace(self) -> int:
        """Actions of one workspace."""
        return self.actions // self.workspaces

    @property
    def step(self) -> int:
        """Every so many actions, one is claimable."""
        return max(1, self.actions // CLAIMABLE)


class Table(NamedTuple):
    name: str
    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


def ident(kind: int, number: int) -> str:
    return f"{number:08d}-0000-7{kind:03x}-8000-000000000000"


def actor(workspace: int, agent: int) -> Actor:
    """Agent 0 takes part in every spec; agent n of 1..AGENTS in every AGENTS-th one."""
    user = workspace * (AGENTS + 1) + agent
    return Actor(ident(WORKSPACE, workspace), ident(USER, user), f"Agent {user}", Role.MEMBER, ALL_SCOPES, "mcp")


def agent_of_spec(spec: int) -> int:
    return 1 + spec % AGENTS


def seed_sqlite(path: Path, shape: Shape) -> None:
    fill_sqlite(path, tables(shape))


def fill_sqlite(path: Path, filled: Iterator[Table]) -> None:
    migrate(path, None)
    link = sqlite.connect(path)
    for setting, value in (("foreign_keys", "off"), ("journal_mode", "off"), ("synchronous", "off")):
        link.pragma(setting, value)
    with link:
        for table in filled:
            marks = ", ".join("?" * len(table.columns))
            link.executemany(f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({marks})", table.rows)
    link.pragma("journal_mode", "wal")
    link.close()


def seed_postgres(url: str, shape: Shape) -> None:
    fill_postgres(url, tables(shape))


def fill_postgres(url: str, filled: Iterator[Table]) -> None:
    migrate(None, url)
    with psycopg.connect(url) as link:
        # Foreign keys hold by construction; checking them would take most of the time.
        link.execute("SET session_replication_role = replica")
        for table in filled:
            with link.cursor().copy(f"COPY {table.name} ({', '.join(table.columns)}) FROM STDIN") as copy:
                for row in table.rows:
                    copy.write_row(row)
    with psycopg.connect(url, autocommit=True) as link:
        link.execute("VACUUM ANALYZE")
        link.execute("CHECKPOINT")


def tables(shape: Shape) -> Iterator[Table]:
    now = clock.now_us()
    yield Table("workspaces", Workspace._fields, _workspaces(shape, now))
    yield Table("event_counters", ("workspace_id", "last_seq"), _counters(shape))
    yield Table("users", User._fields, _users(shape, now))
    yield _of_workspace("members", Member, _members(shape, now))
    yield _of_workspace("tokens", Token, _tokens(shape, now))
    yield _of_workspace("projects", Project, _projects(shape, now))
    yield _of_workspace("specs", Spec, _specs(shape, now))
    fields = ("workspace_id", "spec_id", "user_id", "added_by", "added_at")
    yield Table("participants", fields, _participants(shape, now))
    yield _of_workspace("plans", Plan, _plans(shape, now))
    yield _of_workspace("actions", Action, _actions(shape, now))
    yield _of_workspace("criteria", Criterion, _criteria(shape))
    yield _of_workspace("builds", Build, _builds(shape, now))
    yield _of_workspace("build_actions", BuildAction, _build_actions(shape))
    yield _of_workspace("events", LoggedEvent, _events(shape, now))


def _of_workspace(name: str, noun: type, rows: Iterator[tuple[Any, ...]]) -> Table:
    return Table(name, ("workspace_id", *noun._fields), rows)  # type: ignore[attr-defined]


def _workspaces(shape: Shape, now: int) -> Iterator[tuple[Any, ...]]:
    for n in range(shape.workspaces):
        yield Workspace(ident(WORKSPACE, n), f"Workspace {n}", now)


def _counters(shape: Shape) -> Iterator[tuple[Any, ...]]:
    for n in range(shape.workspaces):
        yield ident(WORKSPACE, n), shape.actions_per_workspace


def _users(shape: Shape, now: int) -> Iterator[tuple[Any, ...]]:
    for n in range(shape.workspaces * (AGENTS + 1)):
        yield User(ident(USER, n), "agent", None, f"Agent {n}", None, now)


def _members(shape: Shape, now: int) -> Iterator[tuple[Any, ...]]:
    for n in range(shape.workspaces * (AGENTS + 1)):
        yield ident(WORKSPACE, n // (AGENTS + 1)), *Member(ident(USER, n), "member", now, None)


def _tokens(shape: Shape, now: int) -> Iterator[tuple[Any, ...]]:
    """One for each, with its user's id: load.py speaks with it."""
    for n in range(shape.workspaces * (AGENTS + 1)):
        user_id, scopes = ident(USER, n), "specs.read builds.write"
        token = Token(user_id, user_id, "bench", hash_secret(user_id), scopes, user_id, user_id, now, None, None, None)
        yield ident(WORKSPACE, n // (AGENTS + 1)), *token


def _projects(shape: Shape, now: int) -> Iterator[tuple[Any, ...]]:
    for workspace, project in _numbered(shape, PROJECT_ACTIONS):
        owner = actor(workspace, 0)
        row = Project(
            id=ident(PROJECT, project),
            key=f"P{project}",
            name=f"Project {project}",
            description=SENTENCE,
            state="active",
            repository_url=None,
            last_ref=PROJECT_ACTIONS,
            revision=1,
            created_by=owner.user_id,
            created_at=now,
            updated_at=now,
        )
        yield owner.workspace_id, *row


def _specs(shape: Shape, now: int) -> Iterator[tuple[Any, ...]]:
    for workspace, spec in _numbered(shape, SPEC_ACTIONS):
        owner = actor(workspace, 0)
        row = Spec(
            id=ident(SPEC, spec),
            project_id=ident(PROJECT, _project_of(shape, workspace, spec * SPEC_ACTIONS)),
            goal_id=None,
            title=f"Spec {spec}",
            summary=SENTENCE * 4,
            results=to_json([SENTENCE] * 3),
            conditions=to_json([SENTENCE] * 2),
            boundaries=to_json([SENTENCE] * 2),
            active_plan_id=ident(PLAN, spec),
            build_id=ident(BUILD, spec),
            build_number=1,
            revision=1,
            created_by=owner.user_id,
            created_at=now,
            updated_at=now,
        )
        yield owner.workspace_id, *row


def _participants(shape: Shape, now: int) -> Iterator[tuple[Any, ...]]:
    for workspace, spec in _numbered(shape, SPEC_ACTIONS):
        owner, agent = actor(workspace, 0), actor(workspace, agent_of_spec(spec))
        yield owner.workspace_id, ident(SPEC, spec), owner.user_id, owner.user_id, now
        yield owner.workspace_id, ident(SPEC, spec), agent.user_id, owner.user_id, now


def _plans(shape: Shape, now: int) -> Iterator[tuple[Any, ...]]:
    for workspace, spec in _numbered(shape, SPEC_ACTIONS):
        owner = actor(workspace, 0)
        row = Plan(ident(PLAN, spec), ident(SPEC, spec), f"Plan {spec}", SENTENCE * 6, 1, owner.user_id, now, now)
        yield owner.workspace_id, *row


def _actions(shape: Shape, now: int) -> Iterator[tuple[Any, ...]]:
    for workspace, number in _numbered(shape, 1):
        owner = actor(workspace, 0)
        spec, project = number // SPEC_ACTIONS, _project_of(shape, workspace, number)
        row = Action(
            id=ident(ACTION, number),
            project_id=ident(PROJECT, project),
            spec_id=ident(SPEC, spec),
            plan_id=ident(PLAN, spec),
            ref_number=number - workspace * shape.actions_per_workspace + 1,
            label=f"Action {number}: make the dispatcher quick",
            description=SENTENCE * 3,
            area=AREAS[number % len(AREAS)],
            paths='["src/**"]',
            state=ActionState.TODO,
            state_reason=None,
            priority=0,
            position=number % SPEC_ACTIONS,
            x=None,
            y=None,
            fence=0,
            claim_id=None,
            news_event_id=0,
            revision=1,
            created_by=owner.user_id,
            created_at=now,
            updated_at=now,
        )
        yield owner.workspace_id, *row


def _criteria(shape: Shape) -> Iterator[tuple[Any, ...]]:
    for number in range(0, shape.actions, shape.step):
        for place in range(ACTION_CRITERIA):
            key, action = ident(CRITERION, number * ACTION_CRITERIA + place), ident(ACTION, number)
            row = Criterion(key, action, place, SENTENCE, CriterionStatus.PENDING, 1, None)
            yield ident(WORKSPACE, number // shape.actions_per_workspace), *row


def _builds(shape: Shape, now: int) -> Iterator[tuple[Any, ...]]:
    for workspace, spec in _numbered(shape, SPEC_ACTIONS):
        owner = actor(workspace, 0)
        key, snapshot = ident(SPEC, spec), _build_snapshot(spec)
        row = Build(ident(BUILD, spec), key, ident(PLAN, spec), 1, snapshot, owner.user_id, now)
        yield owner.workspace_id, *row


def _build_snapshot(spec: int) -> str:
    texts = {
        "id": ident(SPEC, spec),
        "title": f"Spec {spec}",
        "summary": SENTENCE * 4,
        "results": [SENTENCE] * 3,
        "conditions": [SENTENCE] * 2,
        "boundaries": [SENTENCE] * 2,
        "attachments": [],
        "revision": 1,
    }
    plan = {"id": ident(PLAN, spec), "title": f"Plan {spec}", "approach": SENTENCE * 6, "revision": 1}
    return to_json({"spec": texts, "plan": plan})


def _build_actions(shape: Shape) -> Iterator[tuple[Any, ...]]:
    for workspace, number in _numbered(shape, 1):
        criteria = range(number * ACTION_CRITERIA, (number + 1) * ACTION_CRITERIA)
        frozen = {
            "label": f"Action {number}: make the dispatcher quick",
            "description": SENTENCE * 3,
            "area": AREAS[number % len(AREAS)],
            "paths": ["src/**"],
            "criteria": [
                {"id": ident(CRITERION, criterion), "text": SENTENCE, "revision": 1} for criterion in criteria
            ],
        }
        snapshot = to_json(frozen)
        build, action = ident(BUILD, number // SPEC_ACTIONS), ident(ACTION, number)
        row = BuildAction(build, action, number % SPEC_ACTIONS, snapshot, brief_revision_hash("", snapshot))
        yield ident(WORKSPACE, workspace), *row


def _events(shape: Shape, now: int) -> Iterator[tuple[Any, ...]]:
    for workspace, number in _numbered(shape, 1):
        owner, action = actor(workspace, 0), ident(ACTION, number)
        row = LoggedEvent(
            seq=number - workspace * shape.actions_per_workspace + 1,
            at=now,
            kind="action.created",
            actor_id=owner.user_id,
            agent_model=None,
            door="web",
            object_id=action,
            project_id=ident(PROJECT, _project_of(shape, workspace, number)),
            spec_id=ident(SPEC, number // SPEC_ACTIONS),
            action_id=action,
            data="{}",
        )
        yield owner.workspace_id, *row


def _project_of(shape: Shape, workspace: int, action: int) -> int:
    return _first_project(shape, workspace) + (action - workspace * shape.actions_per_workspace) // PROJECT_ACTIONS


def _first_project(shape: Shape, workspace: int) -> int:
    return workspace * -(-shape.actions_per_workspace // PROJECT_ACTIONS)


def _numbered(shape: Shape, actions_each: int) -> Iterator[tuple[int, int]]:
    """(workspace, number) of everything of which there is one for so many actions."""
    per_workspace = -(-shape.actions_per_workspace // actions_each)
    for number in range(shape.workspaces * per_workspace):
        yield number // per_workspace, number
