"""The pages outside of the app's shell in a real browser, and the first day of a desk."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.app import AWAY, REFUSED, App, live
from tests.e2e.axe import violations
from tests.e2e.browser import chromium
from tests.e2e.server import RunningServer, own_port, pendesk
from tests.e2e.standalone_pages import EMAIL, PASSWORD, STANDALONE_PAGES, Visits

NARROW = {"width": 360, "height": 740}
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Scene(NamedTuple):
    app: App
    visits: Visits
    browser: Browser


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    data = tmp_path_factory.mktemp("standalone") / "data"
    options = ["--workspace", "Fernhill", "--name", "Ada Lindqvist", "--email", EMAIL, "--password-stdin"]
    command = [sys.executable, "-m", "pendesk", "init", "--data", str(data), *options]
    environ = {"PATH": os.environ["PATH"], "HOME": str(data.parent)}
    subprocess.run(command, input=PASSWORD, text=True, check=True, env=environ, capture_output=True)
    with RunningServer(data, "--port", own_port()) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        app = App(server.ready(), browser, "")
        app.sign_in()
        yield Scene(app, Visits(server.url, browser.new_context(storage_state=app.state)), browser)
        browser.close()


def complaints(page: Page) -> list[str]:
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    return messages


def test_every_standalone_page_can_be_used_by_everyone(scene):
    for standalone in STANDALONE_PAGES:
        context = scene.browser.new_context(storage_state=scene.app.state if standalone.by_ada else None)
        page = context.new_page()
        messages = complaints(page)
        standalone.open(scene.visits, page)
        expect(page.get_by_role("heading", level=1)).to_have_text(standalone.heading)
        assert page.locator("script").count() == (1 if standalone.name == "offline" else 0), standalone.name
        assert violations(page) == [], standalone.name
        page.set_viewport_size(NARROW)
        assert page.evaluate(SIDEWAYS) <= 0, standalone.name
        assert [message for message in messages if not re.search(f"{REFUSED}|{AWAY}", message)] == [], standalone.name
        context.close()


def test_the_chosen_theme_holds_outside_as_well(scene):
    with scene.app.page("/sign-in", color_scheme="light") as page:
        page.context.add_cookies([{"name": "pendesk_theme", "value": "dark", "url": scene.visits.url}])
        page.reload()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(12, 13, 15)"


def test_on_the_first_day_the_steps_tick_themselves_until_an_agent_has_called(scene):
    with scene.app.page("/") as page:
        live(page)
        status = page.locator(".first-steps [role=status]")
        expect(status).to_have_text("0 of 3 done")
        assert violations(page) == []
        page.get_by_role("button", name="Load sample project").click()
        expect(status).to_have_text("2 of 3 done")
        expect(page.locator(".step[aria-current]")).to_contain_text("pendesk connect")
        assert violations(page) == []
        page.set_viewport_size(NARROW)
        assert page.evaluate(SIDEWAYS) <= 0
        created = pendesk(scene.app.server.data, "token", "create", "--name", "Claude Code", "--json")
        scene.app.call_mcp(json.loads(created)["token"])
        expect(status).to_have_text("3 of 3 done")  # nobody touched the page
        expect(page.get_by_role("heading", name="An agent is connected")).to_be_visible()
        page.reload()
        expect(page.get_by_role("heading", name="You're all caught up")).to_be_visible()


def test_signing_in_leads_to_where_one_was_going_by_password_and_by_link(scene):
    page = scene.browser.new_page()
    page.goto(f"{scene.visits.url}/p/HRB/list?sort=label")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Password")).to_be_focused()
    expect(page.get_by_label("Password")).to_have_accessible_description(re.compile("Incorrect email or password"))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{scene.visits.url}/p/HRB/list?sort=label")
    page.context.clear_cookies(name="pendesk_session")
    page.goto(f"{scene.visits.url}/p/HRB/timeline")
    page.goto(pendesk(scene.app.server.data, "user", "link").strip())
    page.get_by_role("button", name="Sign in to Pendesk").click()
    page.wait_for_url(f"{scene.visits.url}/p/HRB/timeline")
    page.context.close()


def test_while_the_server_is_away_a_page_says_so_and_goes_on_by_itself(scene):
    """The last one, for it ends the server."""
    server = scene.app.server
    with scene.app.page("/timeline", expected=AWAY) as page:
        live(page)
        page.evaluate("navigator.serviceWorker.ready.then(() => {})")
        page.reload()
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        live(page)  # the stream passes by
        server.stop()
        page.goto(f"{server.url}/agents")
        expect(page.get_by_role("heading", level=1)).to_have_text("The server cannot be reached")
        assert page.evaluate("getComputedStyle(document.querySelector('main')).borderRadius") == "14px"
        assert page.evaluate("document.fonts.load('16px Inter').then((fonts) => fonts.length)") == 1
        assert page.url == f"{server.url}/agents"
        with RunningServer(server.data, "--port", str(server.port)) as restarted:
            restarted.ready()
            expect(page.get_by_role("heading", level=1)).to_have_text("Agents")
            live(page)
            cached = page.evaluate(
                "caches.keys().then(([only]) => caches.open(only)).then((cache) => cache.keys())"
                ".then((requests) => requests.map(({ url }) => new URL(url).pathname))"
            )
            assert [path for path in cached if not path.startswith("/static/")] == ["/offline"]
            page.goto("about:blank")
