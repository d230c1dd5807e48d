"""The app in a real browser, at a real server, by mouse and by keyboard."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import AWAY, REFUSED, live, meanwhile, running_app
from tests.e2e.server import RunningServer


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


def focused(page: Page) -> str:
    target: str = page.evaluate("document.activeElement.getAttribute('href') ?? document.activeElement.tagName")
    return target


def test_the_drawer_has_an_address_and_back_closes_it(app):
    with app.page("/p/HRB") as page:
        page.keyboard.press("j")
        first = focused(page)
        page.keyboard.press("Enter")
        expect(page.locator("#drawer h2.sheet-title")).to_be_focused()
        assert page.url == app.server.url + first
        assert page.title().startswith("(2) " + first.removeprefix("/a/") + " ")
        page.go_back()
        expect(page.locator("#drawer")).to_be_hidden()
        assert page.url.endswith("/p/HRB")
        assert focused(page) == first
        page.keyboard.press("Space")  # peeks, and the focus stays
        expect(page.locator("#drawer article")).to_be_visible()
        assert focused(page) == first
        page.keyboard.press("Escape")
        expect(page.locator("#drawer")).to_be_hidden()
        page.goto(app.server.url + "/a/hrb-2")  # cold, and in small letters
        expect(page.get_by_role("heading", name="Read and validate harbour.toml")).to_be_visible()
        expect(page.locator("#card-HRB-2")).to_be_attached()
        page.get_by_role("button", name="Close (Esc)").click()
        assert page.url.endswith("/p/HRB")


def test_an_action_is_made_moved_and_moved_back_by_keyboard(app):
    with app.page("/p/HRB", expected=REFUSED) as page:
        page.keyboard.press("c")
        page.keyboard.type("Write the c handbook")  # single keys are text here
        page.keyboard.press("Control+Enter")
        card = page.locator("#column-todo .card", has_text="Write the c handbook")
        expect(card).to_be_visible()
        expect(page.locator("#create-task")).to_be_hidden()
        card.locator("a").focus()
        page.keyboard.press("m")
        page.keyboard.press("1")
        expect(page.locator("#column-backlog .card", has_text="Write the c handbook")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(card).to_be_visible()
        card.locator("a").focus()
        page.keyboard.press("m")
        page.keyboard.press("4")
        started = page.locator("#column-in_progress .card", has_text="Write the c handbook")
        expect(started.locator(".card-holder .avatar")).to_be_visible()
        claimable = page.locator(
            "#card-HRB-5 a"
        )  # with criteria, only a claim gets it there: it rolls back and says so
        claimable.focus()
        page.keyboard.press("m")
        page.keyboard.press("4")
        expect(page.locator(".toast.bad")).to_contain_text("It is in progress once someone claims it.")
        expect(page.locator("#column-todo #card-HRB-5")).to_be_visible()


def test_many_are_selected_and_moved_at_once_and_a_drag_moves_one(app):
    with app.page("/p/HRB") as page:
        for ref in ("HRB-24", "HRB-25"):
            page.locator(f"#card-{ref} a").focus()
            page.keyboard.press("x")
        expect(page.locator("#chosen")).to_contain_text("2 selected")
        page.keyboard.press("m")
        page.keyboard.press("1")
        for ref in ("HRB-24", "HRB-25"):
            expect(page.locator(f"#column-backlog #card-{ref}")).to_be_visible()
        expect(page.locator("#chosen")).to_be_hidden()
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#column-scope #card-HRB-25")).to_be_visible()
        page.locator("#card-HRB-24").drag_to(page.locator("#column-backlog .cards"))
        expect(page.locator("#column-backlog #card-HRB-24")).to_be_visible()
        expect(page.locator(".toast").last).to_contain_text("HRB-24 moved to Backlog.")


def test_filters_live_in_the_address(app):
    with app.page("/p/HRB") as page:
        page.locator(".filters select[name=area]").select_option("ui")
        expect(page.locator("#card-HRB-5")).to_have_count(0)
        expect(page.locator("#card-HRB-8")).to_be_visible()
        assert page.url.endswith("/p/HRB?area=ui")
        page.reload()
        expect(page.locator("#card-HRB-5")).to_have_count(0)
        expect(page.locator(".filters select[name=area]")).to_have_value("ui")
        page.keyboard.press("f")
        page.keyboard.type("status")
        expect(page.locator(".card")).to_have_count(1)
        assert page.url.endswith("/p/HRB?q=status&area=ui")


def test_the_palette_jumps_and_runs_commands(app):
    with app.page("/projects") as page:
        page.keyboard.press("Control+k")
        page.keyboard.type("hrb-13")
        expect(page.locator("#palette [role=option]").first).to_contain_text("Open HRB-13")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Write the wording of automatic incident updates")).to_be_visible()
        page.goto(app.server.url + "/p/HRB")
        page.keyboard.press("Control+k")
        page.keyboard.type("create act")
        expect(page.locator("#palette [aria-selected=true]")).to_contain_text("Create action")
        page.keyboard.press("Enter")
        expect(page.locator("#create-task")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#create-task")).to_be_hidden()
        # Both in one breath: a busy machine may take longer between two presses than a sequence may last.
        page.evaluate(
            "for (const key of 'gp') document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))"
        )
        page.wait_for_url("**/projects")


def test_what_an_agent_does_is_seen_at_once_and_typing_goes_on(app):
    with app.page("/a/HRB-2") as page:
        live(page)
        page.get_by_label("Your answer").click()
        page.keyboard.type("Refuse it")
        page.evaluate("document.activeElement.setSelectionRange(3, 3)")
        report = {"status": "started", "message": "Wrote the reader of [rules]."}
        app.agent("POST", "/actions/HRB-2/progress", **report)
        expect(page.locator(".claim-message")).to_contain_text("Wrote the reader of [rules].")
        assert page.evaluate("[document.activeElement.value, document.activeElement.selectionStart]") == [
            "Refuse it",
            3,
        ]
        page.keyboard.press("Control+Enter")
        expect(page.locator(".question-answer")).to_contain_text("Refuse it")
        expect(page.locator("#card-HRB-2")).not_to_contain_text("Question")
        progress = app.agent("POST", "/actions/HRB-2/progress", status="started", message="Continued.")
        assert [item["text"] for item in progress["news"]] == [
            "Ada Lindqvist answered your question on HRB-2: Refuse it"
        ]


def test_a_claim_is_released_by_one_confirmed_click(app):
    with app.page("/a/HRB-4") as page:
        page.get_by_role("button", name="Release claim").click()
        expect(page.get_by_role("dialog")).to_contain_text("Release Claude Code on ada-laptop #2's claim on HRB-4?")
        page.get_by_role("dialog").get_by_role("button", name="Release claim").click()  # a reason is not asked for
        expect(page.locator(".toast")).to_contain_text("Claim on HRB-4 released.")
        expect(page.locator("#column-todo #card-HRB-4")).to_be_visible()
        expect(page.locator("#drawer-action")).to_contain_text("To do")


def test_the_brief_is_read_and_copied_as_agents_read_it(app):
    with app.page("/a/HRB-2", permissions=["clipboard-read", "clipboard-write"]) as page:
        live(page)
        page.keyboard.press("b")
        expect(page.locator("#brief h3").first).to_have_text("Read and validate harbour.toml")
        expect(page.locator("#brief")).to_contain_text("Should an unknown key in [rules] be refused")
        page.get_by_role("button", name="Copy brief").click()
        expect(page.locator(".toast")).to_contain_text("Copied.")
        copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
        read = app.agent("GET", "/actions/HRB-2/brief")  # by its holder, who is told a little more
        assert {name: read[name] for name in copied} == copied
        report = {"status": "started", "message": "Read the brief."}
        app.agent("POST", "/actions/HRB-2/progress", **report)
        expect(page.locator(".claim-message")).to_contain_text("Read the brief.")
        expect(page.locator("#brief h3").first).to_be_visible()  # it stays open through updates
        page.keyboard.press("b")
        expect(page.locator("#brief")).to_be_hidden()


def test_without_scripts_no_page_claims_to_connect(app):
    with app.page("/p/HRB", java_script_enabled=False) as page:
        expect(page.get_by_role("heading", name="To do")).to_be_visible()
        expect(page.locator("#connection")).to_be_hidden()


def test_the_theme_is_kept_and_there_from_the_first_paint(app):
    with app.page("/p/HRB", color_scheme="light") as page:
        page.locator(".sidebar-me").click()
        page.get_by_role("button", name="Dark").click()
        page.reload()
        assert page.locator("html").get_attribute("data-theme") == "dark"
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 17, 19)"


def test_twelve_tabs_share_one_stream(app):
    with app.page("/p/HRB") as page:
        live(page)
        tabs = [page.context.new_page() for _ in range(11)]
        for tab in tabs:
            tab.goto(app.server.url + "/a/HRB-2")  # a seventh stream of its own would hang here
            live(tab)
        app.agent("POST", "/actions/HRB-2/progress", status="started", message="Heard in every tab.")
        for tab in tabs:
            expect(tab.locator(".claim-message")).to_contain_text("Heard in every tab.")


def test_the_key_is_proposed_while_the_name_is_typed_until_somebody_types_another(app):
    with app.page("/projects") as page:
        page.get_by_role("button", name="New project").first.click()
        dialog = page.get_by_role("dialog")
        name, key = dialog.get_by_label("Name", exact=True), dialog.get_by_label("Key")
        name.fill("Tide tables")
        expect(key).to_have_value("TT")
        name.fill("Tide tables of the north")
        expect(key).to_have_value("TTOT")
        key.fill("TIDE")
        name.fill("Tides")
        name.blur()
        expect(key).to_have_value("TIDE")
        dialog.get_by_label("Repository URL").fill("https://github.com/fernhill/tides")
        dialog.get_by_role("button", name="Create project").click()
        expect(page).to_have_url(re.compile("/p/TIDE/specs$"))
        page.goto(f"{app.server.url}/p/TIDE/settings")
        expect(page.get_by_label("Repository URL")).to_have_value("https://github.com/fernhill/tides")


# The last one: it ends the server that the others use.
def test_after_a_restart_the_page_has_missed_nothing(app):
    with app.page("/p/HRB", expected=AWAY) as page:
        live(page)
        page.locator(".filters input[name=q]").focus()
        app.server.stop()
        expect(page.locator("#connection")).not_to_have_attribute("data-state", "connected")
        meanwhile(app.server.data, "create_task", project_id="HRB", label="Made while it was away")
        with RunningServer(app.server.data, "--port", str(app.server.port)) as restarted:
            restarted.ready()
            live(page)
            expect(page.locator(".card", has_text="Made while it was away")).to_be_visible()
            expect(page.locator(".filters input[name=q]")).to_be_focused()
