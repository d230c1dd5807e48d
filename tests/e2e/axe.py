"""Accessibility of a page in a real browser, judged by axe-core."""

from pathlib import Path

from playwright.sync_api import Page

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def violations(page: Page, within: str = "html") -> list[str]:
    """What breaks WCAG 2.2 AA on the page as it stands, or within a part of it, in both themes."""
    found: list[str] = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.evaluate(AXE)
        told = page.evaluate("([within, rules]) => axe.run(within, rules)", [within, RULES])
        found += [
            f"{scheme} {each['id']}: {node['target']} {node['failureSummary']}"
            for each in told["violations"]
            for node in each["nodes"]
        ]
    return found
