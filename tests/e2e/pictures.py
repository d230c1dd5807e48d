"""make pictures: every page of PAGES in light and dark, wide and narrow, at a clock that a hand moves.

Usage: python -m tests.e2e.pictures FOLDER [PATH ...]
"""

import asyncio
import sys
import tempfile
import threading
from pathlib import Path

import httpx
import uvicorn
from playwright.sync_api import Browser, sync_playwright

from pendesk import clock
from pendesk.main import create_app, opened
from pendesk.settings import load
from pendesk.transports.web.pages import PAGES
from tests.desk import START, HandClock
from tests.e2e.browser import chromium
from tests.e2e.past import live_through
from tests.e2e.scene import Scene, furnish

WIDTHS = {"wide": (1440, 900), "narrow": (360, 740)}
# Of what a page is shown; HRB-2 has an open question, HRB-3 waits for a review.
REFS = {"/a/{ref}/review": "HRB-3"}


class Studio(threading.Thread):
    """The whole server in a thread of its own, at a port that it chooses."""

    def __init__(self, data: Path, hand: HandClock) -> None:
        super().__init__(daemon=True)
        self.data, self.hand = data, hand
        self.ready = threading.Event()

    def run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        async with opened(load(data=str(self.data), environ={}), "http://127.0.0.1:3999") as service:
            scene = await furnish(service, lambda minutes: self.hand.forward(int(minutes * 60_000_000)), live_through)
            self.link = (await scene.call(scene.owner, "create_sign_in_link"))["url"]
            self.ids = await _ids(scene)
            self.tokens = await _tokens(scene)
            config = uvicorn.Config(create_app(service), port=3999, log_level="warning", lifespan="off")
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server.serve())
            while not server.started:
                await asyncio.sleep(0.05)
            self.ready.set()
            await serving


async def _tokens(scene: Scene) -> list[str]:
    """Ada's own, and one for each of those who work here by MCP."""
    asked = [{"name": "Claude Code on my laptop"}]
    asked += [{"name": f"{name}'s", "user_pid": person.user_id} for name, person in scene.people.items()]
    return [(await scene.call(scene.owner, "create_token", **each))["token"] for each in asked]


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
    return {
        "key": "HRB",
        "ref": "HRB-2",
        "spec": spec["pid"],
        "plan": draft["plans"][0]["pid"],
        "document": documents[0]["pid"],
        "note": notes[0]["pid"],
    }


def take(browser: Browser, studio: Studio, folder: Path, wanted: list[str]) -> None:
    url, _, _ = studio.link.partition("/sign-in")
    call_once(url, studio.tokens)
    page = browser.new_page()
    page.goto(studio.link)
    page.get_by_role("button", name="Sign in to Pendesk").click()
    page.get_by_role("heading", name="Needs you", exact=True).wait_for()
    state = page.context.storage_state()
    for scheme in ("light", "dark"):
        for name, (width, height) in WIDTHS.items():
            context = browser.new_context(
                storage_state=state,
                color_scheme=scheme,
                viewport={"width": width, "height": height},
                reduced_motion="reduce",
            )
            page = context.new_page()
            page.clock.set_fixed_time(studio.hand() / 1_000_000)
            for each in PAGES:
                if each.path == "/rail" or (wanted and each.path not in wanted):
                    continue
                page.goto(url + each.path.format(**{**studio.ids, "ref": REFS.get(each.path, studio.ids["ref"])}))
                page.wait_for_timeout(300)  # fonts, and the first word of the stream
                file = each.path.strip("/").replace("/", "-").translate(str.maketrans("", "", "{}")) or "home"
                page.screenshot(path=folder / f"{file}.{name}.{scheme}.png")
            context.close()


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    hand = HandClock()
    hand.now = START
    clock.now = hand
    with tempfile.TemporaryDirectory() as data:
        studio = Studio(Path(data), hand)
        studio.start()
        assert studio.ready.wait(60), "it did not start"
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            take(browser, studio, folder, sys.argv[2:])
            browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main()
