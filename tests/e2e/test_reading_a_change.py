"""A change is read by keyboard, file by file, while the agent goes on: in a real browser, wide and on a phone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.app import App, live, running_app
from tests.e2e.axe import violations
from tests.e2e.change_scene import resubmit_sample, submit_sample

WIDE = {"width": 1440, "height": 1000}
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with running_app(tmp_path_factory.mktemp("change") / "data") as app:
        yield app


def test_a_change_is_read_by_keyboard_and_stays_as_it_is_read_when_another_is_pushed(app):
    ref = submit_sample(app)
    with app.page(f"/a/{ref}/review", viewport=WIDE) as page:
        live(page)
        focused = page.locator(":focus")
        page.keyboard.press("f")
        expect(page.locator("#file-0 .file-fold")).to_be_focused()
        page.keyboard.press("n")
        expect(page.locator('table[data-path="src/harbour/ledger/store.py"] tr:focus')).to_be_attached()
        expect(focused).to_have_class("line del")
        page.keyboard.press("n")
        expect(focused).to_have_attribute("data-old-line", "82")
        page.keyboard.press("v")
        expect(page.locator("#file-0-body")).to_be_hidden()
        expect(page.locator("[data-viewed-count]")).to_have_text("1 of 8 viewed")
        page.keyboard.press("f")
        page.keyboard.press("f")
        page.keyboard.press("f")
        expect(page.locator("#file-3 .file-fold")).to_be_focused()
        page.keyboard.press("n")
        expect(focused).to_contain_text("const a = 1;")
        expect(page.locator("#file-3 .hidden-character")).to_have_text("U+202E")
        # The generated file is folded; opened, its lines come in parts as one goes on.
        page.keyboard.press("f")
        page.keyboard.press("f")
        expect(page.locator("#file-5 .file-fold")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#file-5 tr.line").nth(149)).to_be_attached()
        assert violations(page, "#change") == []
        # Another round: the page says so, and what is read stays.
        resubmit_sample(app, ref)
        expect(page.locator("#change-newer")).to_be_visible()
        expect(page.locator("#file-0-body")).to_be_hidden()
        expect(page.locator("#file-5 tr.line").first).to_be_attached()
        page.get_by_role("button", name="Show new change").click()
        expect(page.locator("#file-7")).to_contain_text("Changed again")
        expect(page.locator("#file-6-body")).to_be_hidden()
        page.get_by_role("link", name="Since submission 1").click()
        expect(page.locator(".change-file")).to_have_count(1)
        expect(page.locator("#file-0 tr.add .code")).to_have_text("Counts what comes in, once.")
        assert re.search(r"\?part=since", page.url)
        page.get_by_role("link", name="Whole change").click()
        expect(page.locator(".change-file")).to_have_count(9)
        page.get_by_role("link", name="Split").click()
        expect(page.locator("#file-7 table.split td.add").first).to_contain_text("# Harbour")
        page.get_by_role("link", name="Hide whitespace").click()
        chosen = page.locator("#change [aria-current=true]")
        expect(chosen).to_have_text(["Whole change", "Split", "Hide whitespace"])
        page.reload()
        expect(chosen).to_have_text(["Whole change", "Split", "Hide whitespace"])
        page.locator("[data-criterion]").first.get_by_role("link", name="Show in change").click()
        expect(page.locator(".change-filter")).to_contain_text("Only what serves criterion")
    with app.page(f"/a/{ref}/review?diff=split&space=show", viewport=PHONE) as page:
        expect(page.locator(".change-tree nav")).to_be_hidden()
        page.locator(".change-tree > summary").click()
        page.get_by_role("link", name="README.md").click()
        expect(page.locator("#file-7 .file-fold")).to_be_focused()
        expect(page.locator("#file-7 td.add").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert violations(page, "#change") == []
