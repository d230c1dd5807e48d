"""The board as its reader leaves it: folded columns, groups, saved views, and where it opens."""

import pytest
from playwright.sync_api import Page, expect

from pendesk.transports.web.parts.board_columns import COOKIE
from tests.e2e.app import App, live, running_app
from tests.e2e.axe import violations

WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


def open_for_the_first_time(app: App, page: Page) -> None:
    page.context.clear_cookies(name=COOKIE)
    page.goto(f"{app.server.url}/p/HRB")
    live(page)


def test_a_column_is_folded_and_unfolded_by_keyboard_and_stays_so(app):
    with app.page("/projects", viewport=WIDE) as page:
        open_for_the_first_time(app, page)
        folded = page.locator(".column.folded")
        expect(folded).to_have_count(3)
        expect(page.locator("#column-backlog .card")).to_have_count(0)
        expect(page.locator("#column-backlog .count")).to_have_text("2")
        assert violations(page, "#board") == []
        fold = page.locator("#fold-backlog")
        fold.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#column-backlog .card")).to_have_count(2)
        expect(fold).to_have_attribute("aria-expanded", "true")
        expect(fold).to_be_focused()
        page.locator("#column-done .column-head").hover()
        page.get_by_role("button", name="Done", exact=True).click()
        expect(page.locator("#column-done.folded")).to_be_visible()
        page.reload()
        expect(page.locator("#column-backlog .card")).to_have_count(2)
        expect(page.locator("#column-done.folded")).to_be_visible()
        expect(folded).to_have_count(3)


def test_a_card_is_dragged_onto_a_strip(app):
    with app.page("/projects", viewport=WIDE) as page:
        open_for_the_first_time(app, page)
        page.locator("#column-todo .card", has_text="HRB-20").drag_to(page.locator("#column-backlog"))
        expect(page.locator("#column-backlog .count")).to_have_text("3")
        expect(page.locator("#card-HRB-20")).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#column-todo #card-HRB-20")).to_be_attached()


def test_a_folded_column_stays_so_while_what_is_in_it_changes(app):
    with app.page("/projects", viewport=WIDE) as page:
        open_for_the_first_time(app, page)
        url = f"{app.server.url}/api/v1"
        assert page.request.patch(f"{url}/actions/HRB-26", data={"label": "Ship it"}).ok
        assert page.request.patch(f"{url}/actions/HRB-27", data={"state": "todo"}).ok
        expect(page.locator("#column-todo #card-HRB-27")).to_be_attached()
        expect(page.locator("#column-backlog.folded .count")).to_have_text("1")
        expect(page.locator("#card-HRB-26")).to_have_count(0)


def test_on_a_phone_the_board_opens_at_what_is_in_progress(app):
    with app.page("/projects", viewport=PHONE) as page:
        open_for_the_first_time(app, page)
        expect(page.locator("#column-in_progress h2")).to_be_in_viewport(ratio=1)
        expect(page.locator("#column-in_progress .card").first).to_be_in_viewport(ratio=1)


def test_cards_that_stand_together_do_so_after_a_change_and_after_a_drag(app):
    with app.page("/p/HRB?group=spec", viewport=WIDE) as page:
        live(page)
        lane = page.locator(".lane", has_text="Incidents, from the first alarm to resolved")
        expect(lane.locator(".lane-head").first).to_be_visible()
        assert violations(page, "#board") == []
        ours = page.locator("#column-todo .lane").nth(1)
        card = ours.locator(".card").first
        ref = card.get_attribute("data-ref")
        card.drag_to(page.locator("#column-backlog"))
        expect(page.locator("#column-backlog .lane").nth(1).locator(f"#card-{ref}")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(ours.locator(f"#card-{ref}")).to_be_visible()
        assert page.request.patch(f"{app.server.url}/api/v1/actions/{ref}", data={"label": "Renamed"}).ok
        expect(ours.locator(f"#card-{ref}")).to_contain_text("Renamed")
        assert page.request.post(f"{app.server.url}/api/v1/actions/{ref}/move", data={"spec_id": ""}).ok
        expect(page.locator("#column-todo .lane").last.locator(f"#card-{ref}")).to_be_visible()
        page.locator(".filters select[name=group]").select_option("label")
        expect(page.locator("#column-todo .lane-head").last).to_have_text("No label")
        assert page.url.endswith("/p/HRB?group=label")


def test_a_spec_has_a_board_of_its_own(app):
    with app.page("/p/HRB/specs", viewport=WIDE) as page:
        page.get_by_title("Board of this spec").first.click()
        head = page.locator(".bar h1")
        expect(head).to_contain_text("Board of")
        name = head.inner_text().removeprefix("Board of").strip()
        expect(page.locator(".card .card-spec")).to_have_count(0)
        page.get_by_role("link", name="Open spec").click()
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        page.get_by_role("link", name="Board of this spec").click()
        expect(head).to_contain_text(name)
        page.locator(".filters select[name=spec]").select_option("")
        expect(head).to_have_text("Harbour")


def test_a_view_is_saved_shared_changed_and_found_again_by_its_address(app):
    with app.page("/p/HRB?area=api", viewport=WIDE) as page:
        live(page)
        page.locator(".filters select[name=group]").select_option("spec")
        page.wait_for_url("**/p/HRB?area=api&group=spec")
        page.keyboard.press("v")
        dialog = page.locator("#saved-views")
        expect(dialog).to_be_visible()
        dialog.get_by_label("Name").fill("The API by spec")
        dialog.get_by_role("button", name="Save view").click()
        button = page.locator(".views-button")
        expect(button).to_have_text("The API by spec")
        page.wait_for_url("**/p/HRB?area=api&group=spec&view=*")
        pid = page.url.rpartition("=")[2]
        # Another filter is not the view's until it is saved.
        page.locator(".filters select[name=area]").select_option("ui")
        page.wait_for_url(f"**/p/HRB?view={pid}&area=ui&group=spec")
        button.click()
        dialog.get_by_text("Edit “The API by spec”…").click()
        assert violations(page, "#saved-views") == []
        edit = dialog.locator("form", has=page.get_by_role("button", name="Delete view"))
        edit.get_by_label("Name").fill("The pages by spec")
        edit.get_by_label("Visible to").select_option("Everyone in the project")
        edit.get_by_role("button", name="Save with the current filters").click()
        expect(button).to_have_text("The pages by spec")
        page.goto(f"{app.server.url}/views/{pid}")
        page.wait_for_url(f"**/p/HRB?area=ui&group=spec&view={pid}")
        page.goto(f"{app.server.url}/p/HRB/list")
        page.keyboard.press("Control+k")
        page.keyboard.type("view: the pages")
        expect(page.locator("#palette-list .option-text").first).to_have_text("View: The pages by spec")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/p/HRB?area=ui&group=spec&view={pid}")
        page.keyboard.press("v")
        dialog.get_by_text("Edit “The pages by spec”…").click()
        dialog.get_by_role("button", name="Delete view").click()
        page.locator("#confirm").get_by_role("button", name="Delete view").click()
        page.wait_for_url("**/p/HRB?area=ui&group=spec")
        expect(button).to_have_text("Views")
