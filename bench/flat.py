"""Does anything cost more in a large desk? Every tool and every page, with 100, 10,000 and 1,000,000 actions, on both
engines.

The desk has a past (bench/past.py): with 100 actions 60 are open, with more of them 300. What is counted is CPU, which
another program's noise hardly reaches: of this process, with all its threads, and on PostgreSQL also of the backends
that serve that desk. Sizes take turns, round by round; a figure is the median. Statements and bytes are of one call.
"""

import asyncio
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import msgspec
import psycopg
import uvloop

from bench import past
from bench.figures import median, show
from bench.flat_calls import CALLED, NOT_CALLED, PAGES_NOT_CALLED, STORIES
from bench.past import SECRET, Past, Places
from bench.places import FOLDER, cached_file, remove
from pendesk.domain.access import Actor
from pendesk.main import create_app, open_service
from pendesk.operations.operation import encode_json
from pendesk.operations.registry import TOOLS
from pendesk.settings import load
from pendesk.store.engine.postgres_tx import PostgresTx
from pendesk.store.engine.sqlite import SqliteTx
from pendesk.transports.markdown.prose import RENDERER
from pendesk.transports.service import Service
from pendesk.transports.web.pages.registry import PAGES
from tests.postgres import PostgresCluster

SIZES = (100, 10_000, 1_000_000)
ROUNDS = 7
FLAT = 1.5
# Below this a ratio is of noise.
LEAST_US = 100
URL = "http://127.0.0.1:3847"

_OPEN = "what is open: 60 actions of 100, 300 from 10,000 on"
_PAGE = "a page of 50"
_TEXTS = "the newest 300 texts of each kind"
_BOARD = "50 cards a column; of what is closed the newest 2,000 are looked at"
_INSIGHTS = "what is open, and the newest 1,000 of what was finished"
# Those whose bound is reached between 10,000 and 1,000,000.
REACHED_LATER = {"/p/{key}/documents", "/documents/{document}", "/insights", "/p/{key}/insights", "/insights?days=365"}
# What may cost more in a larger desk, and what bounds it. From 10,000 actions on most may not either.
BOUNDED = {
    "list_available_specs": _OPEN,
    "get_context": _OPEN,
    "get_context, of a project": _OPEN,
    "get_next_task": _OPEN,
    "get_next_task, taken": _OPEN,
    "list_tasks, in todo": _PAGE,
    "list_tasks, done": _PAGE,
    "list_tasks, mine": _PAGE,
    "list_tasks, a label": _PAGE,
    "list_tasks, a rare word": "300 texts, before the index",
    "list_tasks, a common word": "300 texts",
    "search": f"{_TEXTS}, before the index",
    "search, words in every text": _TEXTS,
    "search, a beginning": _TEXTS,
    "search, of a project": _TEXTS,
    "/search": f"{_TEXTS}, before the index",
    "list_documents": _PAGE,
    "list_notes": _PAGE,
    "/": _PAGE,
    "/p/{key}": _BOARD,
    "/p/P0?q=quick": _BOARD,
    "/p/P0?order=ref": _BOARD,
    "/a/{ref}": f"the board behind it: {_BOARD}",
    "/p/{key}/flow": "500 actions",
    "/p/{key}/list": "500 cards",
    "/p/P0/list?state=done": "500 cards",
    "/p/{key}/specs": _PAGE,
    "/p/{key}/notes": _PAGE,
    "/p/{key}/documents": "1,000 documents",
    "/documents/{document}": "1,000 documents beside it",
    "/p/{key}/timeline": "250 moves and 50 events",
    "/insights": _INSIGHTS,
    "/p/{key}/insights": _INSIGHTS,
    "/insights?days=365": _INSIGHTS,
    "/agents": "100 agents with 20 sessions each, 100 runs",
    "/timeline?kind=agent": "20,000 events of the log",
    "/share/{secret}": "1,000 actions",
}


class Cost(NamedTuple):
    cpu_us: float
    size_bytes: int
    statements: int


class FlatDesk:
    """A service in this process, over a desk of some size; what is called is measured."""

    def __init__(self, size: int, service: Service, url: str | None) -> None:
        self.size = size
        self.places = Places(Past(size, 0))
        self.dispatcher = service.dispatcher
        self.known: dict[str, str] = {}
        self._app = create_app(service)
        self._url = url
        self._backends: list[Path] = []
        self.costs: dict[str, list[Cost]] = defaultdict(list)

    async def tool(self, actor: Actor, operation: str, /, called: str = "", **arguments: Any) -> Any:
        """Its answer, as a caller reads it."""
        raw = encode_json(arguments)
        with self._measured(called or operation) as answer:
            answer.append(encode_json(await self.dispatcher.call(actor, operation, raw)))
        return msgspec.json.decode(answer[0])

    async def page(self, path: str, name: str) -> None:
        sent: list[dict[str, Any]] = []
        with self._measured(name) as answer:
            await self._app(_scope(path), _receive, _sender(sent))
            answer.append(b"".join(message.get("body", b"") for message in sent))
        if sent[0]["status"] != 200:
            raise RuntimeError(f"{path}: {sent[0]['status']} {answer[0][:300]!r}")

    @contextmanager
    def _measured(self, name: str) -> Iterator[list[bytes]]:
        answer: list[bytes] = []
        statements = STATEMENTS.count
        begun = self._cpu_ns()
        yield answer
        spent = self._cpu_ns() - begun
        self.costs[name].append(Cost(spent / 1e3, len(answer[0]), STATEMENTS.count - statements))

    def _cpu_ns(self) -> int:
        served = sum(int(path.read_text().split()[0]) for path in self._backends)
        return time.process_time_ns() + served

    def find_backends(self) -> None:
        """Those of PostgreSQL that serve this desk; they stay while it is open."""
        if self._url is not None:
            with psycopg.connect(self._url) as link:
                sql = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                pids = [row[0] for row in link.execute(sql)]
            self._backends = [Path(f"/proc/{pid}/schedstat") for pid in pids]


class StatementCount:
    """How many statements the stores of this process have run."""

    def __init__(self) -> None:
        self.count = 0

    def counting(self) -> ExitStack:
        patched = ExitStack()
        for kind in (SqliteTx, PostgresTx):
            for name in ("one", "all", "run", "append_event", "append_event_returning_id"):
                patched.enter_context(mock.patch.object(kind, name, self._wrap(getattr(kind, name))))
        return patched

    def _wrap(self, function: Any) -> Any:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.count += 1
            return function(*args, **kwargs)

        return counted


STATEMENTS = StatementCount()


def main(rounds: int = ROUNDS, sizes: tuple[int, ...] = SIZES) -> None:
    _check_all_are_called()
    for engine, measure in (("SQLite", _sqlite), ("PostgreSQL", _postgres)):
        begun = time.monotonic()
        costs = measure(sizes, rounds)
        _show(engine, sizes, costs)
        print(f"{engine}: {time.monotonic() - begun:.0f} s, seeding included", flush=True)
    print("\nNot measured: " + "; ".join(f"{name} ({why})" for name, why in (NOT_CALLED | PAGES_NOT_CALLED).items()))


def _check_all_are_called() -> None:
    missing = {tool.name for tool in TOOLS} - CALLED - NOT_CALLED.keys()
    missing |= {page.path for page in PAGES} - CALLED - PAGES_NOT_CALLED.keys()
    if missing:
        sys.exit(f"bench/flat_calls.py calls none of these: {', '.join(sorted(missing))}")


Costs = dict[int, dict[str, list[Cost]]]


def _sqlite(sizes: tuple[int, ...], rounds: int) -> Costs:
    folders = {}
    for size in sizes:
        folders[size] = _empty_folder(size)
        source = cached_file(f"past-{size}", past, lambda path, size=size: past.seed_sqlite(path, size))  # type: ignore[misc]
        shutil.copy(source, folders[size] / "pendesk.sqlite3")
    try:
        return uvloop.run(_measure(dict.fromkeys(sizes), rounds))
    finally:
        for folder in folders.values():
            remove(folder / "pendesk.sqlite3")
            shutil.rmtree(folder)


def _postgres(sizes: tuple[int, ...], rounds: int) -> Costs:
    with PostgresCluster(fast=True) as cluster:
        urls: dict[int, str | None] = {}
        for size in sizes:
            _empty_folder(size)
            url = cluster.create_database(f"flat_{size}")
            past.seed_postgres(url, size)
            urls[size] = url
        return uvloop.run(_measure(urls, rounds))


def _empty_folder(size: int) -> Path:
    folder = FOLDER / f"flat-{size}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


async def _measure(urls: dict[int, str | None], rounds: int) -> Costs:
    async with AsyncExitStack() as opened:
        desks = []
        for size, url in urls.items():
            options = {"database_url": url, "database_connections": 2} if url else {}
            settings = load(data_folder=str(FOLDER / f"flat-{size}"), options=options, environ={})
            desks.append(FlatDesk(size, await opened.enter_async_context(open_service(settings, URL)), url))
        await _turn(desks, 0)  # to warm up
        for desk in desks:
            desk.find_backends()
            desk.costs.clear()
        for number in range(1, rounds + 1):
            await _turn(desks, number)
        with STATEMENTS.counting():
            await _turn(desks, rounds + 1)
        RENDERER.stop()
    return {desk.size: desk.costs for desk in desks}


async def _turn(desks: list[FlatDesk], number: int) -> None:
    for story in STORIES:
        for desk in desks:
            await story(desk, number)


def _show(engine: str, sizes: tuple[int, ...], costs: Costs) -> None:
    rows = []
    for name in costs[sizes[0]]:
        # The last was with counted statements.
        cpu = [median([cost.cpu_us for cost in costs[size][name][:-1]]) for size in sizes]
        last = [costs[size][name][-1] for size in sizes]
        cost_ratio, byte_ratio = cpu[-1] / max(cpu[0], LEAST_US), last[-1].size_bytes / max(1, last[0].size_bytes)
        large_ratio = cpu[-1] / max(cpu[-2], LEAST_US)
        rows.append(
            (
                name,
                *(f"{figure:,.0f}" for figure in cpu),
                f"{cost_ratio:.2f}",
                f"{large_ratio:.2f}",
                *(f"{cost.statements}" for cost in last),
                *(f"{cost.size_bytes:,}" for cost in last),
                f"{byte_ratio:.2f}",
                _mark(name, max(cost_ratio, byte_ratio), large_ratio),
            )
        )
    labels = [f"{size:,}" for size in sizes]
    head = ["called", *(f"CPU µs {label}" for label in labels), "ratio", f"to {labels[-2]}"]
    head += [f"stmts {label}" for label in labels] + [f"bytes {label}" for label in labels] + ["ratio", "remark"]
    show(f"{engine}: the cost of one call by the number of actions", head, rows)


def _mark(name: str, ratio: float, large_ratio: float) -> str:
    if ratio <= FLAT:
        return ""
    if name not in BOUNDED:
        return "NOT FLAT"
    is_bounded = large_ratio <= FLAT or name in REACHED_LATER
    return f"bounded: {BOUNDED[name]}" if is_bounded else "NOT FLAT, beyond its bound"


def _scope(path: str) -> dict[str, Any]:
    path, _, query = path.partition("?")
    headers = {"host": URL.removeprefix("http://"), "cookie": f"pendesk_session={SECRET}", "accept": "text/html"}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1234),
        "server": ("127.0.0.1", 3847),
    }


async def _receive() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


def _sender(sent: list[dict[str, Any]]) -> Any:
    async def send(message: dict[str, Any]) -> None:
        sent.append(message)
        await asyncio.sleep(0)

    return send
