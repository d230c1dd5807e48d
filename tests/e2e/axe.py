"""Accessibility of a page in a real browser, judged by axe-core."""

from pathlib import Path
from typing import Literal, cast

from playwright.sync_api import Page

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The second theme changes the colours and nothing else.
RULES = {"light": TAGS, "dark": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
RUN = "([within, runOnly]) => axe.run(within, {runOnly, resultTypes: ['violations']})"


def violations(page: Page, within: str = "html") -> list[str]:
    """What breaks WCAG 2.2 AA on the page as it stands, or within a part of it, in both themes."""
    lines: list[str] = []
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    for scheme, rules in RULES.items():
        page.emulate_media(color_scheme=cast("Literal['light', 'dark']", scheme), reduced_motion="reduce")
        result = page.evaluate(RUN, [within, rules])
        lines += [
            f"{scheme} {violation['id']}: {node['target']} {node['failureSummary']}"
            for violation in result["violations"]
            for node in violation["nodes"]
        ]
    return lines
