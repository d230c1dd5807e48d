"""The pages of docs/reference that are made from the program; `make reference` writes them all."""

from collections.abc import Callable
from pathlib import Path

from tests.cli import reference as cli
from tests.reference import events, refusals, rest, settings_page, token_budget, tools

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
PAGES: dict[str, Callable[[], str]] = {
    "cli.md": cli.render,
    "events.md": events.render,
    "refusals.md": refusals.render,
    "rest.md": rest.render,
    "settings.md": settings_page.render,
    "token-budget.md": token_budget.render,
    "tools.md": tools.render,
}


def main() -> None:
    for name, render in PAGES.items():
        (FOLDER / name).write_text(render(), "utf-8")


if __name__ == "__main__":
    main()
