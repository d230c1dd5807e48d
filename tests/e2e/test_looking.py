"""The pages on which people look at work: flow, list, timeline, insights, agents and settings, in a real browser."""

import csv
import io
import re

import pytest
from playwright.sync_api import Page, expect

from pendesk.transports.web.parts.glossary import GLOSSARY
from tests.e2e.app import REFUSED, live, running_app
from tests.e2e.axe import violations
from tests.e2e.scene import CLAUDE, CODEX


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


# Of the letters that are shown, how high they are on the screen.
HEIGHTS_OF_WORDS = """() => [...document.querySelectorAll('#picture text')]
  .filter((text) => text.getClientRects().length && getComputedStyle(text).display !== 'none')
  .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=6)
    page.mouse.up()


def ref(page: Page) -> str:
    code: str = page.evaluate("document.activeElement.id.slice(5)")
    return code


def test_a_task_is_placed_connected_and_tidied_up_by_mouse(app):
    with app.page("/p/HRB/flow", viewport={"width": 1440, "height": 900}) as page:
        live(page)
        x, y = middle(page, "#node-HRB-26")
        drag(page, (x, y), (x + 30, y - 70))
        expect(page.locator("#node-HRB-26[data-placed]")).to_be_attached()
        assert page.url.endswith("/flow")  # a drag is not a click
        page.locator("#node-HRB-26").hover()
        drag(page, middle(page, "#node-HRB-26 .node-port"), middle(page, "#node-HRB-27"))
        expect(page.get_by_text("HRB-26 is now a prerequisite of HRB-27.")).to_be_visible()
        drawn = page.locator('.edge[data-from="HRB-26"][data-to="HRB-27"]')
        expect(drawn).to_be_attached()
        page.keyboard.press("t")
        expect(page.locator(".node[data-placed]")).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#node-HRB-26[data-placed]")).to_be_attached()


def test_the_flow_is_walked_connected_and_opened_by_keyboard(app):
    with app.page("/p/HRB/flow", expected=REFUSED, viewport={"width": 1440, "height": 900}) as page:
        live(page)
        page.locator("#node-HRB-1").focus()
        page.keyboard.press("ArrowRight")
        assert ref(page) == "HRB-3"
        expect(page.locator("#node-HRB-1.lit")).to_be_attached()  # what it hangs together with
        page.keyboard.press("Shift+ArrowDown")
        expect(page.locator("#node-HRB-3[data-placed]")).to_be_attached()
        page.locator("#node-HRB-9").focus()
        page.keyboard.press("e")
        page.locator("#node-HRB-1").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("This would close a cycle")).to_be_visible()
        page.locator("#node-HRB-1").focus()
        page.keyboard.press("x")
        page.locator("#node-HRB-3").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("HRB-1 and HRB-3 disconnected.")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        page.locator("#node-HRB-3").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#drawer h2.sheet-title")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#drawer")).to_be_hidden()


def test_the_wheel_zooms_to_the_pointer_and_far_away_words_are_left_out(app):
    with app.page("/p/HRB/flow", viewport={"width": 1440, "height": 900}) as page:
        x, y = middle(page, "#node-HRB-16 .node-card")
        page.mouse.move(x, y)
        page.mouse.wheel(0, -500)
        page.wait_for_function("() => !document.querySelector('.flow').classList.contains('far')")
        near = middle(page, "#node-HRB-16 .node-card")
        assert abs(near[0] - x) < 2
        assert abs(near[1] - y) < 2
        page.mouse.wheel(0, 3000)
        expect(page.locator(".flow.far")).to_be_attached()
        expect(page.locator("#node-HRB-16 .node-label")).to_be_hidden()
        page.keyboard.press("f")
        expect(page.locator(".flow.far")).not_to_be_attached()


def test_a_flow_opens_fitted_on_what_is_not_done_and_no_word_is_too_small_to_be_read(app):
    with app.page("/p/HRB/flow", viewport={"width": 1440, "height": 900}) as page:
        live(page)
        view = page.locator("#flow").bounding_box()
        for node in page.locator("#picture .node:not(.closed)").all():
            box = node.bounding_box()
            assert box["x"] >= view["x"]
            assert box["x"] + box["width"] <= view["x"] + view["width"]
        page.mouse.move(700, 450)
        for _ in range(12):
            assert min(page.evaluate(HEIGHTS_OF_WORDS), default=9) >= 8
            page.mouse.wheel(0, 200)
        expect(page.locator("#flow.tiny")).to_be_attached()
        assert page.evaluate(HEIGHTS_OF_WORDS) == []
        expect(page.locator(".flow-legend")).to_contain_text("In review")


def test_a_flow_is_filtered_by_spec_and_without_what_is_done(app):
    with app.page("/p/HRB/flow", viewport={"width": 1440, "height": 900}) as page:
        live(page)
        expect(page.locator("#node-HRB-1")).to_be_visible()
        page.get_by_role("combobox", name="Done actions").select_option("Done hidden")
        expect(page.locator("#node-HRB-1")).to_have_count(0)
        spec = page.get_by_role("combobox", name="Spec")
        spec.select_option("Subscribers and email messages")
        expect(page.locator("#node-HRB-2")).to_have_count(0)
        expect(page.locator("#picture .node").first).to_be_visible()
        page.wait_for_url("**/flow?spec=*&done=hidden")
        spec.select_option("No spec")
        page.wait_for_url("**/flow?spec=none&done=hidden")
        page.reload()
        expect(spec).to_have_value("none")


def test_a_flow_of_specs_leads_to_the_actions_of_one(app):
    with app.page("/p/HRB/flow?group=spec", viewport={"width": 1440, "height": 900}) as page:
        live(page)
        cluster = page.locator("#picture .cluster", has_text="Subscribers and email")
        expect(cluster).to_contain_text("0 of 4 done")
        assert violations(page, "#flow") == []
        cluster.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/flow?group=spec&spec=*")
        expect(page.locator("#picture .node:not(.cluster)")).to_have_count(4)
        page.go_back()
        expect(cluster).to_be_visible()


def test_a_press_on_the_map_looks_there_and_the_legend_stays(app):
    with app.page("/p/HRB/flow", viewport={"width": 1440, "height": 900}) as page:
        live(page)
        for _ in range(8):
            page.keyboard.press("+")
        page.locator(".flow-map svg").click(position={"x": 4, "y": 4})
        page.wait_for_function("() => document.querySelector('#node-HRB-1').getBoundingClientRect().left > 0")
        page.locator("#node-HRB-1").hover(force=True)
        expect(page.locator("#flow.lit-some")).to_be_attached()
        expect(page.locator(".flow-legend .edge").first).to_have_css("opacity", "1")


def test_a_list_is_sorted_in_its_address_and_can_be_taken_along(app):
    with app.page("/p/HRB/list?state=todo") as page:
        page.get_by_role("link", name="Priority").click()
        page.wait_for_url("**/list?state=todo&order=priority")
        expect(page.locator("th[aria-sort=descending]")).to_have_text("Priority")
        with page.expect_download() as download:
            page.get_by_role("link", name="Download CSV").click()
        rows = list(csv.DictReader(io.StringIO(download.value.path().read_text("utf-8"))))
        assert {row["state"] for row in rows} == {"todo"}
        assert [row["ref"] for row in rows] == page.locator("tbody tr td.mono").all_inner_texts()


def test_time_is_scrubbed_and_a_new_event_is_there_at_once(app):
    with app.page("/p/HRB/timeline") as page:
        live(page)
        done = page.locator("[data-replay-state=done] .count")
        expect(done).to_have_text("1")
        page.locator("[data-replay-at]").fill("0")
        expect(done).to_have_text("0")
        app.agent("POST", "/actions/HRB-4/progress", status="started", message="Seen on the timeline.")
        expect(page.locator(".deed").first).to_contain_text("Seen on the timeline.")
        expect(done).to_have_text("0")  # the scrubber stays where it was


def test_a_token_is_shown_once_and_the_page_turns_green_with_the_first_call(app):
    with app.page("/settings/mcp") as page:
        for name in (CLAUDE, CODEX):  # nobody is connected any more
            page.get_by_role("button", name=f"Revoke token {name}").click()
            page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
            expect(page.get_by_role("button", name=f"Revoke token {name}")).to_have_count(0)
        expect(page.locator("#first-call")).to_contain_text("Waiting for the first call")
        page.get_by_label("Name", exact=True).fill("Claude Code")
        page.get_by_role("radio", name="Plan projects").check()
        page.get_by_role("button", name="Create token").click()
        token = page.locator("#secret").inner_text()
        assert token.startswith("pendesk_mcp_")
        expect(page.locator("#way-1")).to_contain_text(token)
        page.reload()
        expect(page).to_have_url(re.compile("/settings/mcp$"))
        assert token not in page.content()
        expect(page.get_by_role("row", name=re.compile("Claude Code .* Plan "))).to_have_count(1)
        app.call_mcp(token)
        expect(page.locator("#first-call")).to_have_text("An agent is connected.")
        page.get_by_role("button", name="Revoke token Claude Code").click()
        page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        expect(page.get_by_text("Token revoked.")).to_be_visible()


def test_a_term_is_explained_by_keyboard_and_by_touch_and_escape_hides_it(app):
    with app.page("/a/HRB-2", has_touch=True) as page:
        term, line = page.get_by_role("button", name="Claim", exact=True), page.locator("#term-line")
        expect(term).to_have_accessible_description(GLOSSARY["claim"])  # also what hovering shows
        page.keyboard.press("Tab")
        term.focus()
        expect(line).to_have_text(GLOSSARY["claim"])
        box = line.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= page.evaluate("innerWidth")
        assert violations(page, "#drawer") == []
        page.keyboard.press("Escape")
        expect(line).to_be_hidden()
        expect(page.locator("#drawer article")).to_be_visible()  # only the topmost layer closes
        term.tap()
        expect(line).to_be_visible()
        page.get_by_role("heading", name="Read and validate harbour.toml").tap()
        expect(line).to_be_hidden()
