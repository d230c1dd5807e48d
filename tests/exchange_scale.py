"""`make exchange`: a project of 5,000 actions with attachments, from SQLite to PostgreSQL and back, with figures.

Each step runs in a process of its own, so that its peak memory is its own.
"""

import asyncio
import base64
import hashlib
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.limits import Limits
from pendesk.domain.people import Member, User, Workspace
from pendesk.operations.dispatch import Dispatcher, Store
from pendesk.operations.exchange.import_flow import run_import
from pendesk.operations.exchange.staging import stage_import_from_export
from pendesk.operations.operation import Installation
from pendesk.operations.registry import OPERATIONS
from pendesk.store import people
from pendesk.store.engine.migrate import migrate
from pendesk.store.files import Files
from tests.desk import HandClock
from tests.postgres import PostgresCluster

MADE = 1_790_000_000_000_000
PER_SPEC = 100
CRITERIA = 3
EVENTS = 3
WORDS = "The gauge is read every minute and a gap in the readings is marked, never filled with a guess. " * 4


def ident(kind: int, number: int) -> str:
    return f"01a00000-{kind:04x}-7000-8000-{number:012x}"


PERSON = ident(0, 1)


def big_export(actions: int, attachment_bytes: int) -> Iterator[bytes]:
    """An export as the server writes it: a spec with a file for every hundred actions, each in a chain."""
    count = 0
    for word, value in _rows(actions, attachment_bytes):
        count += 1
        yield json.dumps({word: value} if word else value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    yield json.dumps({"end": {"lines": count + 1}}, separators=(",", ":")).encode() + b"\n"


def _rows(actions: int, attachment_bytes: int) -> Iterator[tuple[str, Any]]:
    specs = range(1, actions // PER_SPEC + 1)
    numbers = range(1, actions + 1)
    yield "", {"format": "pendesk", "version": 1}
    yield "person", {"id": PERSON, "kind": "person", "name": "Ada", "email": "ada@big.example"}
    project = {"id": ident(1, 1), "key": "BIG", "name": "Big", "description": WORDS, "state": "active"}
    yield "project", project | {"last_ref": actions, "revision": 1} | _made()
    for number in specs:
        texts = {"title": f"Spec {number}", "summary": WORDS, "results": [WORDS], "conditions": [], "boundaries": []}
        yield (
            "spec",
            {
                "id": ident(2, number),
                **texts,
                "active_plan_id": ident(3, number),
                "build_number": 0,
                **_revised(),
                "ref_number": number,
            },
        )
    for number in specs:
        yield (
            "plan",
            {"id": ident(3, number), "spec_id": ident(2, number), "title": "Plan", "approach": WORDS, **_revised()},
        )
    for number in numbers:
        spec = (number - 1) // PER_SPEC + 1
        place = {"spec_id": ident(2, spec), "plan_id": ident(3, spec), "ref_number": number}
        texts = {"label": f"Action {number}", "description": WORDS, "area": "backend", "paths": ["src/**"]}
        state = {"state": "todo", "priority": 0, "position": number, "x": number + 0.5, "y": -1.0, "fence": 0}
        yield "action", {"id": ident(4, number), **place, **texts, **state, **_revised()}
    for number in range(actions * CRITERIA):
        told = {"action_id": ident(4, number // CRITERIA + 1), "position": number % CRITERIA + 1, "text": WORDS[:90]}
        yield "criterion", {"id": ident(5, number), **told, "status": "pending", "revision": 1}
    for number in numbers:
        if number % PER_SPEC:
            ends = {"from_action_id": ident(4, number), "to_action_id": ident(4, number + 1), "label": "blocks"}
            yield "edge", {"id": ident(6, number), **ends, "created_by": PERSON, "created_at": MADE}
    for number in numbers:
        told = {"object_id": ident(4, number), "revision": 1, "content": {"action.label": f"Action {number}"}}
        yield "revision", {**told, "author_id": PERSON, "written_at": MADE}
    for number in specs:
        yield from _attachment(number, attachment_bytes)
    for number in range(actions * EVENTS):
        action = ident(4, number // EVENTS + 1)
        told = {"at": MADE + number, "kind": "action.edited", "actor_id": PERSON, "door": "web", "object_id": action}
        yield "event", {**told, "action_id": action, "data": {"fields": ["label"], "before": WORDS[:90]}}


def _attachment(number: int, size: int) -> Iterator[tuple[str, Any]]:
    content = (f"{number} ".encode() + bytes(range(256))) * (size // 256)
    told = {"id": ident(7, number), "spec_id": ident(2, number), "name": f"file {number}.bin"}
    about = {"media_type": "application/octet-stream", "size_bytes": len(content)}
    digest = hashlib.sha256(content).hexdigest()
    yield "attachment", {**told, **about, "sha256": digest, "added_by": PERSON, "added_at": MADE}
    for start in range(0, len(content), 48 * 1024):
        yield "bytes", base64.b64encode(content[start : start + 48 * 1024]).decode()


def _made() -> dict[str, Any]:
    return {"created_by": PERSON, "created_at": MADE, "updated_at": MADE}


def _revised() -> dict[str, Any]:
    return {"revision": 1, **_made()}


class Place:
    """An installation: its database, its files, and its owner."""

    def __init__(self, folder: Path, url: str | None) -> None:
        self.folder, self.url = folder, url
        folder.mkdir(exist_ok=True)

    def open(self) -> Store:
        from pendesk.store.engine.postgres import PostgresStore
        from pendesk.store.engine.sqlite import SqliteStore

        path = None if self.url else self.folder / "pendesk.db"
        migrate(path, self.url)
        return PostgresStore(self.url, HandClock(), connections=2) if self.url else SqliteStore(path, HandClock())  # type: ignore[arg-type]


async def import_into(place: Place, file: Path) -> None:
    store = place.open()
    owner = Actor(ident(8, 1), ident(8, 2), "Owner", Role.OWNER, ALL_SCOPES, "cli")

    def found(tx: Any) -> None:
        people.add_workspace(tx, Workspace(owner.workspace_id, "Here", MADE))
        people.add_user(tx, User(owner.user_id, "person", None, "Owner", None, MADE))
        people.add_member(tx, Member(owner.user_id, "owner", MADE, None))

    await store.write(owner.workspace_id, found)
    dispatcher = Dispatcher(
        store, OPERATIONS, Installation(Limits(), b"a key", "http://127.0.0.1", Files(place.folder / "files"))
    )

    def stage() -> Any:
        with file.open("rb") as source:
            return stage_import_from_export(
                dispatcher.installation.files,
                source,
                as_copy=False,
                keep_attachments=True,
                max_attachment_bytes=25_000_000,
            )

    await run_import(dispatcher, owner, stage, now=HandClock().now)
    await store.close()


async def export_from(place: Place, file: Path) -> None:
    store = place.open()
    owner = Actor(ident(8, 1), ident(8, 2), "Owner", Role.OWNER, ALL_SCOPES, "cli")
    files = Files(place.folder / "files")
    dispatcher = Dispatcher(store, OPERATIONS, Installation(Limits(), b"a key", "http://127.0.0.1", files))
    made: Any = await dispatcher.call(owner, "export_project", {"project_id": "BIG"})
    (files.folder / made.receipt.partition(".")[0]).rename(file)
    await store.close()


def _step(name: str, work: Any, *arguments: Any) -> None:
    began = time.monotonic()
    asyncio.run(work(*arguments))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{name:<28} {time.monotonic() - began:6.1f} s   peak {peak} MB", flush=True)


def step(name: str, work: Any, *arguments: Any) -> None:
    process = multiprocessing.get_context("spawn").Process(target=_step, args=(name, work, *arguments))
    process.start()
    process.join()
    if process.exitcode != 0:
        sys.exit(f"{name} failed")


def main() -> None:
    actions = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as told, PostgresCluster() as cluster:
        root = Path(told)
        first = root / "first.jsonl"
        with first.open("wb") as file:
            file.writelines(big_export(actions, 200_000))
        print(f"{actions} actions, {first.stat().st_size / 1e6:.1f} MB", flush=True)
        sqlite, postgres = Place(root / "a", None), Place(root / "b", cluster.create_database("exchange"))
        step("import into SQLite", import_into, sqlite, first)
        step("export from SQLite", export_from, sqlite, root / "second.jsonl")
        step("import into PostgreSQL", import_into, postgres, root / "second.jsonl")
        step("export from PostgreSQL", export_from, postgres, root / "third.jsonl")
        same = first.read_bytes() == (root / "second.jsonl").read_bytes() == (root / "third.jsonl").read_bytes()
        print("all three files have the same bytes" if same else "THE FILES DIFFER")
        sys.exit(not same)


if __name__ == "__main__":
    main()
