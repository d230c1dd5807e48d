"""300 open pages at 20 events a second: what they cost the server, and when a change is seen.

A third each are boards (of three projects), inboxes and actions, of 20 people, each with a stream of its own; three
are tabs of a real Chromium, which tell when a change is on the screen, the others are replayed (`page_tabs.py`). Agents
claim, report and release all the while. First it is quiet but for one change now and then, then busy. CPU is the
server's, counted by the scheduler. To compare with an earlier version, name its checkout: BENCH_SOURCE=DIR.
"""

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from playwright.async_api import Page, async_playwright

from bench.figures import percentile, show
from bench.mcp import Server, pendesk, started
from bench.page_tabs import Tab, Traffic
from bench.places import FOLDER
from bench.web import chromium_path
from pendesk.main import open_service
from pendesk.settings import load
from tests.callers import start_session
from tests.e2e.scene import Scene, create_workspace

TABS = int(os.environ.get("BENCH_TABS", "300"))
PEOPLE, AGENTS, PROJECTS, TASKS = 20, 24, 3, 120
EVENTS_PER_S = 20
CYCLE = ("claim", "progress", "progress", "progress", "progress", "release")
WARM_S, QUIET_S, BUSY_S = 8.0, 15.0, 30.0
PROBE_EVERY_S = {"quiet": 2.5, "busy": 1.7}

# When each probe was first on the page.
WATCH = """() => {
  window.seenAt = {};
  const look = () => {
    for (const found of document.body.textContent.match(/probe \\d+ seen/g) ?? []) window.seenAt[found] ??= Date.now();
  };
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


class Desk(NamedTuple):
    cookies: list[str]
    tokens: list[str]
    keys: list[str]
    probed_ref: str


class Figures(NamedTuple):
    name: str
    cpu_percent: float
    traffic: Traffic
    seconds: float
    seen_ms: dict[str, list[float]]


def main(rounds: int = 1) -> None:
    chromium = os.environ.pop("PENDESK_CHROMIUM", None) or chromium_path()  # the server takes no such setting
    for _ in range(rounds):
        data = FOLDER / "live_pages"
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir(parents=True)
        desk = asyncio.run(_furnish(data))
        with _from_source(), started(pendesk(data.resolve()), live_claims_per_user="20") as server:
            _report(asyncio.run(_measure(server, desk, chromium)))
        shutil.rmtree(data)


@contextmanager
def _from_source() -> Iterator[None]:
    """The server is that of another checkout, where one is named."""
    source = os.environ.get("BENCH_SOURCE")
    before = os.environ.get("PYTHONPATH")
    if source:
        os.environ["PYTHONPATH"] = str(Path(source).resolve() / "src")
    yield
    os.environ.pop("PYTHONPATH", None)
    if before is not None:
        os.environ["PYTHONPATH"] = before


async def _furnish(data: Path) -> Desk:
    async with open_service(load(data_folder=str(data), environ={}), "http://127.0.0.1:3847") as service:
        scene = await create_workspace(service)
        cookies = [await _sign_in(scene, number) for number in range(PEOPLE)]
        tokens = [await _add_agent(scene, number) for number in range(AGENTS)]
        keys = [await _add_project(scene, number) for number in range(PROJECTS)]
        return Desk(cookies, tokens, keys, f"{keys[0]}-{TASKS // 2 + 1}")


async def _sign_in(scene: Scene, number: int) -> str:
    person = await scene.call(
        scene.owner, "create_user", name=f"Person {number}", kind="person", email=f"p{number}@example.com"
    )
    link = await scene.call(scene.owner, "create_sign_in_link", user_pid=person["userId"])
    secret = await start_session(scene.service.dispatcher, link["url"].partition("code=")[2])
    assert secret is not None
    return secret


async def _add_agent(scene: Scene, number: int) -> str:
    agent = await scene.call(scene.owner, "create_user", name=f"Agent {number}", kind="agent")
    token: str = (await scene.call(scene.owner, "create_token", name="bench", user_pid=agent["userId"]))["token"]
    return token


async def _add_project(scene: Scene, number: int) -> str:
    """Half of it is to do, the rest put off; what is probed is the first of those."""
    project = await scene.call(scene.owner, "create_project", name=f"Project {number}", key=f"PR{'ABC'[number]}")
    key: str = project["key"]
    for task in range(TASKS):
        state = "todo" if task < TASKS // 2 else "backlog"
        label = f"Task {task} of project {number}"
        await scene.call(scene.owner, "create_task", project_id=key, label=label, status=state)
    return key


async def _measure(server: Server, desk: Desk, chromium: str) -> list[Figures]:
    traffic = Traffic()
    tabs = [await Tab.open(server.port, *_place(desk, number), traffic) for number in range(TABS - 3)]
    async with _browser_tabs(server, desk, chromium) as pages, httpx.AsyncClient(timeout=30) as client:
        running = [asyncio.create_task(tab.run()) for tab in tabs]
        probes = _Probes(client, server, desk, pages)
        figures = [await _phase("quiet", server, traffic, probes, QUIET_S)]
        busy = [asyncio.create_task(_work(client, server, desk, number)) for number in range(AGENTS)]
        await asyncio.sleep(WARM_S)
        figures.append(await _phase("busy", server, traffic, probes, BUSY_S))
        for task in [*running, *busy]:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    return figures


def _place(desk: Desk, number: int) -> tuple[str, str]:
    """Whose tab it is, and where."""
    key = desk.keys[number // 3 % PROJECTS]
    path = (f"/p/{key}", "/", f"/a/{key}-{1 + number % 20}")[number % 3]
    return desk.cookies[number % PEOPLE], path


@asynccontextmanager
async def _browser_tabs(server: Server, desk: Desk, chromium: str) -> AsyncIterator[dict[str, Page]]:
    base = f"http://127.0.0.1:{server.port}"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        pages = {}
        for name, path in (("board", f"/p/{desk.keys[0]}"), ("action", f"/a/{desk.probed_ref}"), ("inbox", "/")):
            context = await browser.new_context()
            await context.add_cookies([{"name": "pendesk_session", "value": desk.cookies[0], "url": base}])
            pages[name] = await context.new_page()
            await pages[name].goto(base + path)
            await pages[name].locator('#connection[data-state="connected"]').wait_for(state="attached")
            await pages[name].evaluate(WATCH)
        yield pages
        await browser.close()


async def _work(client: httpx.AsyncClient, server: Server, desk: Desk, number: int) -> None:
    """An agent at its task, over and over: all of them together make so many events a second."""
    ref = f"{desk.keys[number % PROJECTS]}-{1 + number}"
    await asyncio.sleep(number / EVENTS_PER_S)
    while True:
        for step in CYCLE:
            began = time.monotonic()
            fields = {"status": "started", "message": "Going on."} if step == "progress" else {}
            await _post(client, server, desk.tokens[number], f"/actions/{ref}/{step}", fields)
            await asyncio.sleep(max(0.0, AGENTS / EVENTS_PER_S - (time.monotonic() - began)))


async def _post(client: httpx.AsyncClient, server: Server, token: str, path: str, fields: dict[str, Any]) -> None:
    headers = {"authorization": f"Bearer {token}"}
    answer = await client.post(f"http://127.0.0.1:{server.port}/api/v1{path}", json=fields, headers=headers)
    assert answer.status_code < 300, answer.text


class _Probes:
    """Somebody writes a label, and pages show it."""

    def __init__(self, client: httpx.AsyncClient, server: Server, desk: Desk, pages: dict[str, Page]) -> None:
        self._client, self._server, self._desk = client, server, desk
        self.pages = {name: page for name, page in pages.items() if name != "inbox"}
        self._sent: dict[str, float] = {}
        self._number = 0

    async def send(self) -> None:
        self._number += 1
        words = f"probe {self._number} seen"
        address = f"http://127.0.0.1:{self._server.port}/do/update_action"
        fields = {"action_id": self._desk.probed_ref, "label": words}
        headers = {"cookie": f"pendesk_session={self._desk.cookies[1]}", "hx-request": "true"}
        self._sent[words] = time.time() * 1000
        answer = await self._client.post(address, data=fields, headers=headers)
        assert answer.status_code < 300, answer.text

    async def taken_ms(self) -> dict[str, list[float]]:
        taken: dict[str, list[float]] = {}
        for name, page in self.pages.items():
            seen = await page.evaluate("window.seenAt")
            # One that was written over before it was shown was seen with the next.
            taken[name] = [seen[words] - at for words, at in self._sent.items() if words in seen]
        self._sent.clear()
        return taken


async def _phase(name: str, server: Server, traffic: Traffic, probes: _Probes, seconds: float) -> Figures:
    await asyncio.sleep(2)
    traffic.clear()
    cpu, began = server.cpu_ns(), time.monotonic()
    while time.monotonic() < began + seconds:
        await probes.send()
        await asyncio.sleep(PROBE_EVERY_S[name])
    elapsed = time.monotonic() - began
    spent, counted = (server.cpu_ns() - cpu) / elapsed / 1e7, Traffic(traffic)
    await asyncio.sleep(3)
    return Figures(name, spent, counted, elapsed, await probes.taken_ms())


def _report(figures: list[Figures]) -> None:
    show(
        f"{TABS} tabs, {EVENTS_PER_S} events a second while busy",
        ("", "server CPU %", "requests/s", "of a tab", "304 %", "KB/s", "stream KB/s", "board ms", "action ms"),
        [_row(each) for each in figures],
    )


def _row(figures: Figures) -> tuple[str, ...]:
    traffic, seconds = figures.traffic, figures.seconds
    requests = traffic["requests"] / seconds
    return (
        figures.name,
        f"{figures.cpu_percent:.0f}",
        f"{requests:.0f}",
        f"{requests / max(1, TABS - 3):.2f}",
        f"{100 * traffic['answers 304'] / max(1, traffic['requests']):.0f}",
        f"{traffic['bytes'] / seconds / 1000:.0f}",
        f"{traffic['stream bytes'] / seconds / 1000:.0f}",
        *(_times(figures.seen_ms[name]) for name in ("board", "action")),
    )


def _times(taken_ms: list[float]) -> str:
    if not taken_ms:
        return "-"
    return f"{percentile(taken_ms, 0.5):.0f} / {percentile(taken_ms, 0.9):.0f} of {len(taken_ms)}"
