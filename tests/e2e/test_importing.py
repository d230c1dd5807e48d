"""A project out of a file and into one, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.domain.exchange.sample import SAMPLES
from tests.e2e.app import REFUSED, running_app
from tests.e2e.axe import violations


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


def test_what_is_downloaded_comes_back_as_a_copy_once_it_was_looked_at(app, tmp_path):
    with app.page("/p/HRB/settings") as page:
        with page.expect_download() as download:
            page.get_by_role("link", name="Download export").click()
        assert download.value.suggested_filename == "HRB.pendesk.jsonl"
        download.value.save_as(tmp_path / "harbour.jsonl")
    with app.page("/projects", expected=REFUSED) as page:
        page.keyboard.press("i")
        dialog = page.get_by_role("dialog", name="Import project")
        dialog.locator("input[type=file]").set_input_files(tmp_path / "harbour.jsonl")
        look, bring = (dialog.get_by_role("button", name=name) for name in ("Preview import", "Import project"))
        look.click()
        expect(dialog.get_by_role("alert")).to_contain_text("HRB")  # it is here already
        expect(bring).to_be_hidden()
        dialog.get_by_label("Import as a copy").check()
        dialog.get_by_label("Name").fill("Harbour, again")
        dialog.get_by_label("Key").fill("AGN")
        look.click()
        expect(dialog).to_contain_text("Preview: Harbour, again (AGN)")
        expect(dialog).to_contain_text("28 actions")
        expect(bring).to_be_focused()
        assert violations(page, "dialog") == []
        dialog.get_by_label("Name").fill("Harbour II")  # what was looked at is no longer what would be made
        expect(bring).to_be_hidden()
        look.click()
        bring.click()
        page.wait_for_url("**/p/AGN")
        expect(page.get_by_role("heading", name="Harbour II")).to_be_visible()


def test_another_programs_file_tells_what_cannot_be_taken_along(app, tmp_path):
    with app.page("/projects", viewport={"width": 360, "height": 740}, expected=REFUSED) as page:
        page.get_by_role("button", name="Import project").click()
        dialog = page.get_by_role("dialog", name="Import project")
        dialog.get_by_label("From").select_option("taskmaster")
        expect(dialog.get_by_text("tasks.json")).to_be_visible()
        expect(dialog.get_by_label("Import as a copy")).to_be_hidden()
        (tmp_path / "bad.json").write_text("[")
        dialog.locator("input[type=file]").set_input_files(tmp_path / "bad.json")
        dialog.get_by_role("button", name="Preview import").click()
        expect(dialog.get_by_role("alert")).to_contain_text("tasks.json")
        dialog.locator("input[type=file]").set_input_files(SAMPLES / "task_master.json")
        dialog.get_by_role("button", name="Preview import").click()
        expect(dialog).to_contain_text("6 actions")
        expect(dialog).to_contain_text("Warnings: 1")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        dialog.get_by_role("button", name="Import project").click()
        page.wait_for_url("**/p/*")
        expect(page.locator(".card")).to_have_count(6)
