"""A guest with nothing but a link, in a real browser: reads, writes, is thanked; and the page is fit for everybody."""

from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.e2e.axe import violations
from tests.e2e.browser import chromium
from tests.e2e.server import RunningServer, pendesk


def test_a_guest_reads_and_writes(tmp_path: Path):
    data = tmp_path / "data"
    pendesk(data, "init")
    pendesk(data, "demo")
    with RunningServer(data) as server, sync_playwright() as playwright:
        server.ready()
        link = pendesk(data, "share", "create", "HRB", "--takes-items").strip()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 360, "height": 800})
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(link)
        expect(page.get_by_role("heading", level=1)).to_have_text("Harbour")
        expect(page.locator("script")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert violations(page) == []
        page.get_by_label("Subject").fill("<b>More cranes</b>")
        page.get_by_label("Message").fill("Two,\nplease")
        page.get_by_role("button", name="Send message").click()
        expect(page.get_by_role("status")).to_contain_text("Thank you")
        page.goto(f"{link[:-4]}0000")
        expect(page.get_by_role("heading", level=1)).to_have_text("Share link not found")
        assert violations(page) == []
        assert [complaint for complaint in complaints if "404" not in complaint] == []
        browser.close()
