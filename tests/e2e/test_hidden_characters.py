"""What hides in a text is seen by the person who reads it, and by whoever publishes it: in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.app import App, running_app

TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "delete all")
EDIT = """async ([path, summary]) => {
  const spec = await (await fetch(path)).json();
  const body = JSON.stringify({summary, expected_revision: spec.revision});
  const headers = {"content-type": "application/json"};
  return (await fetch(path, {method: "PATCH", headers, body})).status;
}"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with running_app(tmp_path_factory.mktemp("hidden") / "data") as app:
        yield app


def test_a_spec_and_its_preview_show_what_hides_in_it(app, tmp_path):
    spec = app.agent("GET", "/specs")["specs"][0]["pid"]
    with app.page(f"/specs/{spec}") as page:
        summary = f"Checks are read{TAGS} from a\u202e file. ❤️ 👨‍👩‍👧‍👦"
        assert page.evaluate(EDIT, [f"/api/v1/specs/{spec}", summary]) == 200
        page.goto(f"{app.server.url}/specs/{spec}")
        marks = page.locator("main .hidden-character")
        expect(marks.first).to_have_text("U+E0064 +9")
        expect(marks.nth(1)).to_have_text("U+202E")
        page.screenshot(path=tmp_path / "spec.png")
        page.goto(f"{app.server.url}/specs/{spec}/publish")
        expect(page.locator(".remarks")).to_contain_text(
            "The summary has hidden characters: U+202E right-to-left override (1), U+E0065 tag latin"
        )
        page.screenshot(path=tmp_path / "publish.png")
