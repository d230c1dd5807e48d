"""Search on its page and in the palette, in a real browser: the same results, with the same filters."""

import pytest
from playwright.sync_api import expect

from tests.e2e.app import running_app
from tests.e2e.axe import violations


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


def test_a_search_is_filtered_in_its_address_by_kind_state_project_and_person(app):
    with app.page("/search?q=store") as page:
        results = page.locator("#found .result")
        expect(results.filter(has_text="Action").first).to_be_visible()
        page.get_by_role("combobox", name="Type", exact=True).select_option("Specs")
        expect(page.locator("#found .result:not([data-kind=spec])")).to_have_count(0)
        page.get_by_role("combobox", name="Type", exact=True).select_option("Any type")
        page.get_by_role("combobox", name="State", exact=True).select_option("To do")
        expect(page.locator("#found .result:not(:has(.state-todo))")).to_have_count(0)
        page.get_by_role("combobox", name="Project", exact=True).select_option("Harbour")
        page.wait_for_url("**/search?q=store&state=todo&project=HRB")
        page.get_by_role("combobox", name="Person", exact=True).select_option("Mine")
        expect(page.locator("#found")).to_contain_text("No results")
        page.go_back()
        expect(results.first).to_be_visible()


def test_the_palette_shows_what_the_search_page_shows(app):
    with app.page("/search?q=store&state=todo") as page:
        shown = page.locator("#found .result-text").all_inner_texts()
        page.keyboard.press("Control+k")
        palette = page.get_by_role("dialog", name="Search and commands")
        palette.get_by_label("State").select_option("To do")
        palette.get_by_role("combobox", name="Search, or type a command").fill("store")
        options = palette.locator("#palette-list .option")
        expect(options.last).to_have_text("Open these results on a page")
        assert palette.locator(".option .result-text").all_inner_texts() == shown
        expect(options.first.locator(".state-todo")).to_be_visible()
        expect(options.first.locator("mark").first).to_be_visible()
        assert violations(page, "#palette") == []
        palette.get_by_role("combobox", name="Search, or type a command").press("Enter")
        expect(page.locator("#drawer h2.sheet-title")).to_be_focused()


def test_the_palette_leads_to_the_page_with_all_its_results(app):
    with app.page("/p/HRB") as page:
        page.keyboard.press("Control+k")
        page.keyboard.type("store")
        expect(page.locator("#palette-list .option").last).to_have_text("Open these results on a page")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?q=store")
