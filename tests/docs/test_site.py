"""The documentation as a whole: nothing is left out of the site, and no link leads nowhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
TEXTS = [*PAGES, *sorted(ROOT.glob("*.md"))]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s#]+)(?:#([^)\s]+))?\)|!\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def anchors(page: Path) -> set[str]:
    text = page.read_text("utf-8")
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    named = re.findall(r'<a id="([^"]+)">', text)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles} | set(named)


def test_every_page_is_in_the_site_and_every_entry_is_a_page():
    listed = re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == [str(page.relative_to(ROOT / "docs")) for page in PAGES]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: str(text.relative_to(ROOT)))
def test_no_link_leads_nowhere(text):
    for target, anchor, picture in LINK.findall(CODE.sub("", text.read_text("utf-8"))):
        if "://" in target or target.startswith("mailto:"):
            continue
        file = (text.parent / (target or picture)).resolve()
        assert file.exists(), f"{target or picture} is not there"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"{target} has no title for #{anchor}"
