"""The board in a real browser: long columns, many cards at once, by mouse and by keyboard, while agents go on."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, live, running_app

WIDE = {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


def made(app: App, page: Page, path: str, **fields: Any) -> dict[str, Any]:
    """The person whose page it is makes something, in another tab as it were."""
    answer = page.request.post(f"{app.server.url}/api/v1{path}", data=fields)
    assert answer.ok, answer.text()
    told: dict[str, Any] = answer.json()
    return told


def long_project(app: App, page: Page, tasks: int) -> str:
    named = [{"key": f"t{number}", "label": f"Task {number:03}"} for number in range(tasks)]
    key: str = made(app, page, "/projects/scaffold", name="Long", tasks=named)["key"]
    return key


def test_a_long_column_loads_its_next_cards_by_scrolling_by_keyboard_and_by_its_button(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = long_project(app, page, 120)
        page.goto(f"{app.server.url}/p/{key}?order=ref")
        live(page)
        cards = page.locator("#column-todo .card")
        expect(cards).to_have_count(50)
        expect(page.locator("#column-todo .count")).to_have_text("120")
        expect(page.locator("#more-todo")).to_have_text("70 more")
        cards.nth(49).scroll_into_view_if_needed()
        expect(cards).to_have_count(100)
        expect(page.locator("#more-todo")).to_have_text("20 more")
        assert page.url.endswith(f"/p/{key}?order=ref&shown=todo:100")
        # A change elsewhere is shown, and nothing that was loaded goes.
        made(app, page, f"/projects/{key}/tasks", label="Made meanwhile")
        expect(page.locator("#column-todo .count")).to_have_text("121")
        expect(page.locator("#more-todo")).to_have_text("21 more")
        expect(cards).to_have_count(100)
        # Cold, the address shows the same; the next ones come by walking down, and the focus goes on into them.
        page.reload()
        expect(cards).to_have_count(100)
        live(page)
        page.locator("#more-todo").focus()
        page.keyboard.press("Enter")
        expect(cards).to_have_count(121)
        expect(cards.nth(100).locator("a")).to_be_focused()
        expect(page.locator("#more-todo")).to_have_count(0)
        # A filter begins at the first cards again.
        page.locator(".filters input[name=q]").fill("task 11")
        expect(cards).to_have_count(10)
        assert page.url.endswith(f"/p/{key}?q=task+11&order=ref")
