"""What needs a person, answered in place; and a submission judged by keyboard: in a real browser, with an agent that
goes on working meanwhile.
"""

import asyncio
import base64
import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect, sync_playwright

from tests.diffs import HEAD, NEXT_HEAD, created, modified, packed
from tests.e2e.app import App
from tests.e2e.axe import violations
from tests.e2e.browser import chromium
from tests.e2e.review_scene import seed
from tests.e2e.server import RunningServer

HANDED = {"pr_url": "https://github.com/fernhill/harbour/pull/3", "summary": "The index is **back**."}
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
WIDE = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    data = tmp_path_factory.mktemp("review") / "data"
    token = asyncio.run(seed(data))
    with RunningServer(data) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        app = App(server.ready(), browser, token)
        app.sign_in()
        yield app
        browser.close()


def test_what_needs_you_is_answered_in_place_while_agents_go_on(app):
    with app.page("/", viewport=WIDE) as page:
        rows = page.locator("#inbox .inbox-item")
        expect(rows).to_have_count(4)
        expect(page).to_have_title("(4) Inbox · Pendesk")
        assert "waiting" in page.locator("link[rel=icon]").get_attribute("href")
        assert violations(page) == []
        page.keyboard.press("j")
        page.keyboard.press("j")
        expect(rows.nth(1).locator("[data-item]")).to_be_focused()
        page.keyboard.press("r")
        answer = rows.nth(1).get_by_role("textbox")
        expect(answer).to_be_focused()
        page.keyboard.type("Refuse it, and name the ky.")
        for _ in range(2):
            page.keyboard.press("ArrowLeft")
        # Meanwhile the agent asks something else: the new row appears, and the typing goes on where it was.
        app.agent("POST", "/actions/HRB-4/clarifications", question="Does `degraded` count as **up**? See HRB-2.")
        expect(rows).to_have_count(5)
        expect(page).to_have_title("(5) Inbox · Pendesk")
        page.keyboard.type("e")
        expect(answer).to_have_value("Refuse it, and name the key.")
        page.reload()
        expect(answer).to_have_value("Refuse it, and name the key.")
        answer.focus()
        page.keyboard.press("Control+Enter")
        expect(rows).to_have_count(4)
        expect(page.locator("#toasts")).to_contain_text("Answer sent")
        expect(page.locator("#inbox .inbox-item").nth(1).locator("[data-item]")).to_be_focused()
        news = app.agent("POST", "/actions/HRB-2/progress", status="started", message="Going on.")["news"]
        assert [item["text"] for item in news] == [
            "Ada Lindqvist answered your question on HRB-2: Refuse it, and name the key."
        ]


def test_an_expired_claim_is_released_and_a_guests_item_taken_in(app):
    with app.page("/?kind=claim", viewport=WIDE) as page:
        rows = page.locator("#inbox .inbox-item")
        expect(rows).to_have_count(1)
        page.keyboard.press("j")
        page.keyboard.press("u")
        expect(page.get_by_role("dialog")).to_contain_text("Release the claim on HRB-8 and move it to To do?")
        assert violations(page) == []
        page.get_by_role("dialog").get_by_role("button", name="Release claim").click()
        expect(page.get_by_role("heading", name="No matching items")).to_be_visible()
        page.goto(f"{app.server.url}/?kind=guest")
        page.keyboard.press("j")
        page.keyboard.press("r")
        page.keyboard.press("Control+A")
        page.keyboard.type("Say who checked, and from where")
        page.keyboard.press("Enter")
        expect(page.locator("#toasts")).to_contain_text("accepted")
        expect(rows).to_have_count(0)
        twin = page.request.get(f"{app.server.url}/index.json").json()
        assert (twin["inbox"]["counts"]["guests"], twin["inbox"]["counts"]["claims"]) == (0, 0)


def test_a_person_attaches_a_log_and_a_picture_to_a_criterion_on_either_page(app):
    log = {"name": "load.log", "mimeType": "text/plain", "buffer": b"12 passed\n"}
    with app.page("/a/HRB-3/review", viewport=WIDE) as page:
        row_id = page.locator("#judge [data-criterion]").nth(1).get_attribute("id")
        row = page.locator(f"#{row_id}")
        row.get_by_role("radio", name="Reject").check()
        row.get_by_role("textbox").fill("See the log.")
        row.get_by_label("Attach files to criterion").set_input_files([log, {**log, "name": "second.log"}])
        expect(row.locator(".evidence-file")).to_have_count(2)
        expect(row.locator(".evidence-file pre").first).to_have_text("12 passed")
        expect(page.locator("#toasts")).to_contain_text("load.log attached.")
        expect(row.get_by_role("textbox")).to_have_value("See the log.")
        assert violations(page) == []
        number = row.locator(".trace-number").inner_text()
        page.goto(f"{app.server.url}/a/HRB-3")
        criterion = page.locator(".criteria > li").nth(int(number) - 1)
        expect(criterion.locator(".evidence-file")).to_have_count(2)
        picture = {"name": "page.png", "mimeType": "image/png", "buffer": PNG}
        criterion.get_by_label(f"Attach files to criterion {number}").set_input_files(picture)
        expect(criterion.locator(".evidence-file img")).to_have_js_property("naturalWidth", 1)
        assert violations(page) == []
        for name in ("load.log", "second.log", "page.png"):
            criterion.get_by_role("button", name=f"Remove {name}").click()
            page.get_by_role("dialog").get_by_role("button", name=f"Remove {name}").click()
        expect(criterion.locator(".evidence-file")).to_have_count(0)


def test_a_submission_is_judged_by_keyboard_and_nothing_is_lost_when_it_is_handed_in_again(app):
    with app.page("/a/HRB-3/review", expected="status of 409", viewport=WIDE) as page:
        expect(page).to_have_title(
            re.compile(r"^\(\d\) HRB-3 Review: Create the SQLite store and its migrations · Pendesk$")
        )
        expect(page.locator("#connection")).to_have_attribute("data-state", "connected")
        row = page.locator("#judge [data-criterion]")
        expect(row.nth(3)).to_contain_text("Stale: The criterion was reworded by Ada Lindqvist")
        expect(page.locator("#since")).to_contain_text("2 commits")
        compare = page.get_by_role("link", name="Compare").get_attribute("href")
        assert compare.startswith("https://github.com/fernhill/harbour/compare/")
        page.keyboard.press("Y")
        expect(page.locator("#toasts")).to_contain_text("2 criteria confirmed.")
        expect(page.locator(".judge-count")).to_have_text("Criteria: 3 confirmed, 0 rejected, 1 without a verdict")
        expect(row.nth(3)).to_be_focused()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("button", name="Confirm 2 with CI evidence")).to_be_visible()
        for key in "jyyn":  # the first criterion, two confirmed, the third rejected
            page.keyboard.press(key)
        note = row.nth(2).get_by_role("textbox")
        expect(note).to_be_focused()
        page.keyboard.type("Show it with two threads.")
        page.locator("summary", has_text="What changed in the brief").evaluate("each => each.parentElement.open = true")
        assert violations(page) == []
        expect(page.locator(".judge-count")).to_have_text("Criteria: 2 confirmed, 1 rejected, 1 without a verdict")
        approve = page.get_by_role("button", name="Approve")
        expect(approve).to_have_attribute("aria-disabled", "true")
        expect(approve).to_have_accessible_description("Cannot be approved: 1 criterion is rejected.")
        expect(page.get_by_role("button", name="Request changes: 1 rejected")).to_be_visible()
        page.reload()
        expect(note).to_have_value("Show it with two threads.")
        expect(page.locator(".judge-count")).to_have_text("Criteria: 2 confirmed, 1 rejected, 1 without a verdict")
        note.focus()
        app.agent("POST", "/actions/HRB-3/resubmit", **HANDED)
        expect(page.locator("#moved")).to_contain_text("You reviewed submission 2; this is submission 3.")
        expect(page.locator(".submission-part strong")).to_have_text("back")
        expect(note).to_have_value("Show it with two threads.")
        expect(note).to_be_focused()
        page.keyboard.press("Escape")
        page.keyboard.press("s")
        page.keyboard.type("Two threads, please.")
        page.keyboard.press("Control+Enter")
        expect(page.locator("#judge-bar [data-problem]")).to_contain_text("HRB-3 was submitted again while you looked")
        assert violations(page) == []
        page.get_by_role("button", name="Review new submission").click()
        expect(page.locator("#moved")).to_be_hidden()
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
        brief = app.agent("GET", "/actions/HRB-3/brief")["review"]
        assert (brief["verdict"], brief["summary"]) == ("changes_requested", "Two threads, please.")
        assert [item["text"] for item in brief["items"]] == ["Show it with two threads."]
        page.goto(f"{app.server.url}/a/HRB-3/review")
        expect(page.locator("#judge")).to_have_count(0)
        expect(page.get_by_text("Changes requested").first).to_be_visible()
        there_is_none = page.locator(".matrix td:not(.trace-verdict) > .none").first
        expect(there_is_none).to_be_visible()
        page.set_viewport_size({"width": 360, "height": 780})
        expect(there_is_none).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def push_and_submit(app: App, ref: str, verb: str, head: str, *files: str, **fields: object) -> None:
    """By the agent, from its terminal."""
    headers = {"authorization": f"Bearer {app.token}", "content-type": "application/gzip"}
    address = f"{app.server.url}/api/v1/actions/{ref}/change"
    pushed = httpx.post(address, content=packed(*files, head=head), headers=headers, timeout=30)
    assert pushed.status_code < 300, pushed.text
    app.agent("POST", f"/actions/{ref}/{verb}", **HANDED, branch="counts", head_sha=head, **fields)


def test_comments_on_lines_are_kept_and_sent_and_what_was_done_stands_at_their_lines(app):
    with app.page("/projects") as page:
        task = {"label": "Count what was kept", "criteria": ["Dropped rows do not count"], "paths": ["src/store.py"]}
        headers = {"content-type": "application/json", "origin": app.server.url}
        answer = page.request.post(f"{app.server.url}/api/v1/projects/HRB/actions", data=task, headers=headers)
        ref = answer.json()["refCode"]
    app.agent("POST", f"/actions/{ref}/claim")
    totals = created("src/totals.py", "def total(rows):", "    kept = rows", "    return sum(kept)")
    push_and_submit(app, ref, "submit", HEAD, modified("src/store.py"), totals)
    with app.page(f"/a/{ref}/review", viewport=WIDE) as page:
        editor = page.locator(".line-comment.editing")
        comments = page.locator("#change .line-comment")
        for key in ("n", "m"):  # the first line that changed, which is gone
            page.keyboard.press(key)
        expect(editor.get_by_label("src/store.py, line 2 before the change")).to_be_focused()
        page.keyboard.type("Keep the old one.")
        page.keyboard.press("Control+Enter")
        page.keyboard.press("n")
        expect(page.locator('table[data-path="src/totals.py"] tr[data-new-line="1"]')).to_be_focused()
        for key in ("Shift+ArrowDown", "Shift+ArrowDown", "m"):
            page.keyboard.press(key)
        expect(editor.get_by_label("src/totals.py, lines 1 to 3")).to_be_focused()
        page.keyboard.type("Say in which unit.")
        page.keyboard.press("Control+Enter")
        page.locator('table[data-path="src/store.py"] tr[data-new-line="1"]').hover()
        page.get_by_role("button", name="Comment on line 1").click()
        page.keyboard.type("Nice.")
        editor.get_by_label("Remark").check()
        editor.get_by_role("button", name="Add comment").click()
        expect(editor).to_have_count(0)
        deviation = page.get_by_role("region", name="Deviations from the spec")
        deviation.get_by_role("button", name="Request a change").click()
        deviation.get_by_role("textbox").fill("Put it into the store.")
        page.keyboard.press("Control+Enter")
        assert violations(page) == []
        page.reload()
        expect(comments).to_have_count(3)
        expect(deviation.locator(".line-comment")).to_contain_text("Put it into the store.")
        expect(page.get_by_role("button", name="Request changes: 4 comments")).to_be_visible()
        page.locator("#comment-list").get_by_role("link", name="src/totals.py, lines 1 to 3").click()
        expect(page.locator('table[data-path="src/totals.py"] tr[data-new-line="3"]')).to_be_focused()
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
    review = app.agent("GET", f"/actions/{ref}/brief")["review"]
    assert review["summary"] == "3 requested changes, 1 remark."
    first, second, third = review["items"]
    assert third["text"] == "Put it into the store."
    assert (first["path"], first["line"], first["quote"]) == ("src/store.py", 2, " same\n-old")
    assert (second["path"], second["line"], second["endLine"]) == ("src/totals.py", 1, 3)
    assert [remark["text"] for remark in review["remarks"]] == ["Nice."]
    answers = [
        {"itemId": first["id"], "disposition": "declined", "note": "Nothing reads it."},
        {"itemId": second["id"], "disposition": "fixed", "note": f"In {NEXT_HEAD[:10]}."},
    ]
    in_cents = totals.replace("def total(rows):", "def total_in_cents(rows):")
    push_and_submit(app, ref, "resubmit", NEXT_HEAD, modified("src/store.py"), in_cents, dispositions=answers)
    with app.page(f"/a/{ref}/review", viewport=WIDE) as page:
        requested = page.get_by_role("region", name="Changes requested in the last review")
        requested.get_by_role("link", name="src/store.py:2").click()  # in a file that is folded: it did not change
        at_line = page.locator('tr.line[data-old-line="2"] + .line-note')
        expect(at_line.locator(".line-comment")).to_be_focused()
        expect(at_line).to_contain_text("Keep the old one.")
        expect(at_line).to_contain_text("Declined")
        expect(at_line).to_contain_text("Nothing reads it.")
        outdated = page.locator(".line-outdated")
        expect(outdated).to_contain_text("Fixed in dddddddd")
        expect(outdated.locator("pre")).to_contain_text("+def total(rows):")
        requested.get_by_role("link", name="src/totals.py:1-3").click()
        expect(outdated.locator(".line-comment")).to_be_focused()
        deviation = page.get_by_role("region", name="Deviations from the spec")
        deviation.get_by_role("button", name="Accept and add to spec").click()
        expect(deviation.get_by_text("Accepted")).to_be_visible()
        assert violations(page) == []
        page.set_viewport_size({"width": 360, "height": 780})
        assert page.evaluate("document.querySelector('main').scrollWidth") <= 360


def test_the_focus_moves_on_even_if_the_stream_takes_the_row_away_before_the_answer_comes(app):
    with app.page("/?kind=question", viewport=WIDE) as page:
        expect(page.locator("#connection")).to_have_attribute("data-state", "connected")
        rows = page.locator("#inbox .inbox-item")
        expect(rows).to_have_count(1)
        held = []
        page.route("**/do/answer_question", lambda route: held.append((route, route.fetch())))
        rows.get_by_role("textbox").fill("It counts as up.")
        page.keyboard.press("Control+Enter")
        expect(rows).to_have_count(0)  # by the stream
        [(route, answer)] = held
        route.fulfill(response=answer)
        expect(page.locator("#toasts")).to_contain_text("Answer sent")
        expect(page.locator("#main")).to_be_focused()
