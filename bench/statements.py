"""How long does a statement, or an operation, hold up the event loop on a large desk? SQLite, one process.

50,000 actions and 200,000 edges in one workspace, most of them in one project whose graph is one long chain, another
workspace beside it, and all that belongs to them (tests/large_desk.py). Every operation is dispatched.
Then every statement is run in its worst place and taken back; which thread runs it was seen in those calls and in the
story of tests/answers.py.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import msgspec
import uvloop

from bench.figures import show
from bench.load import open_dispatcher
from bench.places import cached_file, copied
from pendesk.domain import limits
from pendesk.domain.access import Actor, github_actor
from pendesk.domain.errors import Refusal
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.operation import AnyOperation, Kind, encode_json
from pendesk.operations.registry import OPERATIONS
from pendesk.store.engine import sqlite
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from pendesk.transports.rest.examples import BODIES
from tests import answers, large_desk
from tests.desk import START
from tests.large_desk import HERE, LARGE, OURS, OWNER, ident
from tests.statements import known, recorded, values

AIM_MS = 50
SHOWN = 25

IDS = {
    "project_id": OURS,
    "action_id": ident("actions", 0),
    "action_pid": ident("actions", 0),
    "task_id": ident("actions", 0),
    "object_id": ident("actions", 0),
    "spec_id": ident("specs", 0),
    "spec_pid": ident("specs", 0),
    "plan_id": ident("plans", 0),
    "goal_id": ident("goals", 0),
    "document_id": ident("documents", 0),
    "note_id": ident("notes", 0),
    "comment_id": ident("comments", 1),
    "criterion_id": ident("criteria", 0),
    "edge_id": ident("edges", 0),
    "run_id": ident("agent_runs", 0),
    "user_id": ident("users", 4),
    "user_pid": ident("users", 4),
    "token_id": ident("tokens", 0),
    "webhook_id": ident("outgoing_webhooks", 0),
    "share_id": ident("shares", 0),
    "submission_id": ident("inbox_items", 0),
    "clarification_pid": ident("clarifications", 1),
    "attachment_pid": ident("attachments", 0),
    "query": "action quick",
}
# From the middle of the chain to the middle: a walk from either end is long.
MIDDLE = {"from_task_id": ident("actions", LARGE.ours // 2), "to_task_id": ident("actions", LARGE.ours // 2 + 10)}
TASKS = [{"key": f"t{number}", "label": f"Task {number}"} for number in range(limits.SCAFFOLD_TASKS)]
WORST: dict[str, dict[str, Any]] = {
    "create_edge": {**MIDDLE, "label": "blocks"},
    "create_action": {"project_id": OURS, "prerequisites": [ident("actions", number) for number in range(100, 140)]},
    "order_actions": {"action_ids": [ident("actions", number) for number in range(limits.PLAN_ACTIONS - 1, -1, -1)]},
    "order_criteria": {"criterion_ids": [ident("criteria", number) for number in (2, 1, 0)]},
    "put_canvas": {"nodes": [{"id": ident("actions", n), "x": n, "y": n} for n in range(limits.GRAPH_NODES)]},
    "list_events": {"project_id": OURS, "kind": ["project.created"]},
    "scaffold_project_from_plan": {
        "tasks": TASKS,
        "edges": [
            {"from": f"t{number}", "to": f"t{number + step}"}
            for step in (1, 2, 3)
            for number in range(limits.SCAFFOLD_TASKS - step)
        ],
        "documents": [{"title": f"Document {n}", "body": "Text. " * 500} for n in range(limits.SCAFFOLD_DOCUMENTS)],
    },
    "record_push": {
        "delivery_id": "push",
        "digest": "0" * 64,
        "event": "push",
        "repository": "example/p0",
        "branch": "branch-1",
        "before": f"{1:040x}",
        "forced": True,
        "commits": [
            {"sha": f"{10**9 + n:040x}", "message": f"P0-{n + 2}: make it quick"} for n in range(limits.PUSH_COMMITS)
        ],
    },
}
# Last of all: what they take away, others need.
ENDS = ("delete_", "remove_", "revoke_", "import_", "load_")


class Called(NamedTuple):
    """loop_ms: what the loop's thread had to do for it, counted by the processor, so that other work adds nothing."""

    name: str
    loop_ms: float
    whole_ms: float
    kind: str
    outcome: str


class Timed(NamedTuple):
    name: str
    ms: float
    where: str


def main(rounds: int = 3) -> None:
    source = cached_file("large", large_desk, _fill)
    with recorded() as texts:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(answers.tell(Path(folder)))
        with copied(source) as path:
            rows = sorted(uvloop.run(_operations(path, rounds)), key=lambda row: -row.loop_ms)
    with copied(source) as path:
        _show_statements(sorted(_statements(path, texts, rounds), key=lambda timed: -timed.ms))
    _show_operations(rows)


def _fill(path: Path) -> None:
    migrate(path, None)
    connection = sqlite.connect(path)
    connection.pragma("synchronous", "off")
    large_desk.seed(connection, LARGE)
    connection.close()


def _statements(path: Path, texts: dict[str, set[bool]], rounds: int) -> Iterator[Timed]:
    """Without plain inserts: each is as short as any other."""
    words = {frozenset({True}): "loop", frozenset({False}): "thread", frozenset({True, False}): "both"}
    connection = sqlite.connect(path)
    for name, sql in known().items():
        if not sql.lstrip().startswith("INSERT") or "SELECT" in sql:
            family = [texts.get(text, set()) for other, text in known().items() if _family(other) == _family(name)]
            where = words.get(frozenset(texts.get(sql) or set().union(*family)), "never called")
            yield Timed(name, _best_ms(connection, name, sql, rounds), where)
    connection.close()


def _family(name: str) -> str:
    """What stands in one list or dictionary is run by the same operations: one for each order of a board, say."""
    return name.partition("[")[0]


def _best_ms(connection: apsw.Connection, name: str, sql: str, rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        connection.execute("BEGIN IMMEDIATE")
        connection.pragma("defer_foreign_keys", True)
        begun = time.perf_counter()
        connection.execute(sql, values(name, sql)).fetchall()
        best = min(best, time.perf_counter() - begun)
        connection.execute("ROLLBACK")
    return best * 1e3


def _show_operations(rows: list[Called]) -> None:
    over = sum(row.loop_ms > AIM_MS for row in rows)
    title = f"The operations that keep the loop's thread busiest, of {len(rows)}; over {AIM_MS} ms: {over}"
    head = ("operation", "on the loop's thread, ms", "whole, ms", "kind", "outcome")
    show(title, head, [(row.name, f"{row.loop_ms:.1f}", f"{row.whole_ms:.0f}", *row[3:]) for row in rows[:SHOWN]])
    refused = [f"{row.name} ({row.outcome.removeprefix('refused: ')})" for row in rows if "refused" in row.outcome]
    print(f"\nRefused, so that they tell nothing: {', '.join(refused)}")


def _show_statements(timed: list[Timed]) -> None:
    head = ("statement", "ms", "run on")
    for title, places in (("the loop's thread", ("loop", "both", "never called")), ("threads alone", ("thread",))):
        shown_statements = [statement for statement in timed if statement.where in places]
        over = sum(statement.ms > AIM_MS for statement in shown_statements)
        rows = [(statement.name, f"{statement.ms:.1f}", statement.where) for statement in shown_statements[:SHOWN]]
        show(f"The slowest of {len(shown_statements)} statements on {title}; over {AIM_MS} ms: {over}", head, rows)


async def _operations(path: Path, rounds: int) -> list[Called]:
    """Reads are called several times, and the best counts; a write finds everything as it was only once."""
    store = SqliteStore(path, lambda: START + 2 * limits.DAY_US)  # no claim is alive, so that a project can be deleted
    dispatcher = open_dispatcher(store)
    rows = []
    for operation in sorted(
        OPERATIONS, key=lambda operation: (operation.name.startswith(ENDS), operation.name == "delete_project")
    ):
        if operation.name == "delete_project":
            await dispatcher.call(OWNER, "update_project", {"project_id": OURS, "state": "archived"})
        times = (
            rounds
            if operation.kind in (Kind.READ, Kind.LONG_READ, Kind.HEAVY_READ) and operation.name != "export_project"
            else 1
        )
        rows.append(min([await _called(dispatcher, operation) for _ in range(times)], key=lambda row: row.loop_ms))
    await store.close()
    return rows


async def _called(dispatcher: Dispatcher, operation: AnyOperation) -> Called:
    begun, busy = time.perf_counter(), time.thread_time()
    try:
        answer = await dispatcher.call(_actor(operation), operation.name, _arguments(operation))
        outcome = f"{len(encode_json(answer)):,} bytes"
    except Refusal as refusal:
        outcome = f"refused: {refusal.code}"
    loop_ms, whole_ms = (time.thread_time() - busy) * 1e3, (time.perf_counter() - begun) * 1e3
    return Called(operation.name, loop_ms, whole_ms, operation.kind, outcome)


def _actor(operation: AnyOperation) -> Actor:
    return github_actor(HERE) if operation.name.startswith("record_") and "agent" not in operation.name else OWNER


def _arguments(operation: AnyOperation) -> dict[str, Any]:
    fields = {field.name: field for field in msgspec.structs.fields(operation.input)}
    args = {name: value for name, value in BODIES.get(operation.name, {}).items() if name in fields}
    args |= {name: IDS[name] for name, field in fields.items() if name in IDS and (field.required or name in args)}
    return args | WORST.get(operation.name, {})
