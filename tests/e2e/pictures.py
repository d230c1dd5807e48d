"""make pictures: every page of PAGES and every one outside of the shell, in light and dark, wide and narrow, at a clock
that a hand moves.

Usage: python -m tests.e2e.pictures FOLDER [PATH or NAME ...]
"""

import asyncio
import itertools
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import httpx
import uvicorn
from playwright.sync_api import Browser, Page, StorageState, ViewportSize, sync_playwright

from pendesk import clock
from pendesk.main import create_app, open_service
from pendesk.settings import load
from pendesk.transports.service import Service
from pendesk.transports.web.pages.registry import PAGES
from tests.desk import START, HandClock
from tests.e2e.activity_scene import report_activity
from tests.e2e.browser import chromium
from tests.e2e.past import live_through
from tests.e2e.scene import CLAUDE, Scene, add_leaver, create_workspace, furnish
from tests.e2e.standalone_pages import PASSWORD, STANDALONE_PAGES, Visits

WIDTHS: dict[str, ViewportSize] = {"wide": {"width": 1440, "height": 900}, "narrow": {"width": 360, "height": 740}}
Take = Callable[[Browser, "Studio", Path, set[str]], None]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Of what a page is shown; HRB-2 has an open question, HRB-3 waits for a review.
REFS = {"/a/{ref}/review": "HRB-3"}

DRAFTED_PLAN = {
    "approach": "Read the file once at the start, and again when it changes.",
    "actions": [
        {"key": "HRB-1", "description": "With a type of its own for each kind of check.", "criteria": ["It is typed"]},
        {"key": "watch", "label": "Watch the file", "area": "config", "criteria": ["A change is seen within a second"]},
        {
            "key": "docs",
            "label": "Describe every key",
            "criteria": ["Each key has an example"],
            "prerequisites": ["watch", "HRB-1"],
            "paths": ["docs/*.md"],
        },
    ],
}


class Studio(threading.Thread):
    """The whole server in a thread of its own, with a desk that `furnish` prepares."""

    def __init__(self, data: Path, hand: HandClock, port: int) -> None:
        super().__init__(daemon=True)
        self.data, self.hand, self.port = data, hand, port
        self.url = f"http://127.0.0.1:{port}"
        self.ids: dict[str, str] = {}
        self.tokens: list[str] = []
        self.ready = threading.Event()

    def run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        async with open_service(load(data_folder=str(self.data), environ={}), self.url) as service:
            scene = await self.furnish(service)
            self.link = (await scene.call(scene.owner, "create_sign_in_link"))["url"]
            config = uvicorn.Config(create_app(service), port=self.port, log_level="warning", lifespan="off")
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server.serve())
            while not server.started:
                await asyncio.sleep(0.05)
            self.ready.set()
            await serving

    async def furnish(self, service: Service) -> Scene:
        scene = await furnish(service, lambda minutes: self.hand.forward(int(minutes * 60_000_000)), live_through)
        self.ids = {**await _ids(scene), "agent_session": await report_activity(service, scene, self.hand())}
        self.tokens = list(scene.tokens.values())
        return scene

    def sign_in(self, browser: Browser) -> StorageState:
        page = browser.new_page()
        page.goto(self.link)
        page.get_by_role("button", name="Sign in to Pendesk").click()
        page.get_by_role("heading", name="Inbox", exact=True).wait_for()
        return page.context.storage_state()


class EmptyStudio(Studio):
    """On the first day: a person with a password, and nothing else."""

    async def furnish(self, service: Service) -> Scene:
        scene = await create_workspace(service)
        await scene.call(scene.owner, "set_password", password=PASSWORD)
        return scene


def call_once(url: str, tokens: list[str]) -> None:
    """The first call of each agent, so that pages can say when it was."""
    for token in tokens:
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
        httpx.post(f"{url}/mcp", json=ping, headers=headers).raise_for_status()


async def _ids(scene: Scene) -> dict[str, str]:
    owner, project = scene.owner, {"project_id": "HRB"}
    spec = (await scene.call(owner, "list_specs", **project))["specs"][0]
    documents = (await scene.call(owner, "list_documents", **project))["documents"]
    notes = (await scene.call(owner, "list_notes", **project))["notes"]
    draft = await scene.call(owner, "get_spec_draft", spec_id=spec["pid"])
    proposal = await scene.call(scene.people[CLAUDE], "draft_plan", spec_id=spec["pid"], **DRAFTED_PLAN)
    return {
        "key": "HRB",
        "ref": "HRB-2",
        "spec": spec["refCode"],
        "plan": draft["plans"][0]["pid"],
        "document": documents[0]["refCode"],
        "note": notes[0]["refCode"],
        "proposal": proposal["pid"],
        "member": await add_leaver(scene),
    }


def take_pages(browser: Browser, studio: Studio, folder: Path, chosen: set[str]) -> None:
    state = studio.sign_in(browser)
    call_once(studio.url, studio.tokens)
    for scheme, (name, size) in itertools.product(SCHEMES, WIDTHS.items()):
        context = browser.new_context(storage_state=state, color_scheme=scheme, viewport=size, reduced_motion="reduce")
        page = context.new_page()
        page.clock.set_fixed_time(studio.hand() / 1_000_000)
        for entry in (entry for entry in PAGES if entry.path in chosen):
            page.goto(studio.url + entry.path.format(**{**studio.ids, "ref": REFS.get(entry.path, studio.ids["ref"])}))
            file = entry.path.strip("/").replace("/", "-").translate(str.maketrans("", "", "{}")) or "home"
            shoot(page, folder / f"{file}.{name}.{scheme}.png")
        context.close()


def take_standalone_pages(browser: Browser, studio: Studio, folder: Path, chosen: set[str]) -> None:
    """What can be opened only so often is opened once, and then looked at in every way."""
    state = studio.sign_in(browser)
    ada = browser.new_context(storage_state=state)
    visits = Visits(studio.url, ada)
    for standalone in (page for page in STANDALONE_PAGES if page.name in chosen):
        page = browser.new_context(storage_state=state if standalone.by_ada else None).new_page()
        standalone.open(visits, page)
        page.get_by_role("heading", name=standalone.heading, exact=True).wait_for()
        shoot_all(page, folder, standalone.name)
    if "first-run" in chosen:
        page = ada.new_page()
        page.goto(studio.url)
        shoot_all(page, folder, "first-run")
        page.get_by_role("button", name="Load sample project").click()
        page.get_by_text("2 of 3 done").wait_for()
        shoot_all(page, folder, "first-run-sample")


def shoot_all(page: Page, folder: Path, file: str) -> None:
    for scheme, (name, size) in itertools.product(SCHEMES, WIDTHS.items()):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size(size)
        shoot(page, folder / f"{file}.{name}.{scheme}.png", full_page=True)


def shoot(page: Page, file: Path, *, full_page: bool = False) -> None:
    page.wait_for_timeout(300)  # fonts, and the first word of the stream
    page.screenshot(path=file, full_page=full_page)


def main() -> None:
    folder, selected = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    hand = HandClock()
    hand.now = START
    clock.now_us = hand
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        studios: list[tuple[Studio, Take, set[str]]] = [
            (
                EmptyStudio(Path(data) / "empty", hand, 3998),
                take_standalone_pages,
                {"first-run", *(page.name for page in STANDALONE_PAGES)},
            ),
            (Studio(Path(data) / "furnished", hand, 3999), take_pages, {page.path for page in PAGES} - {"/sidebar"}),
        ]
        for studio, take, names in studios:
            chosen = names & set(selected) if selected else names
            if chosen:
                studio.start()
                assert studio.ready.wait(60), "it did not start"
                take(browser, studio, folder, chosen)
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main()
