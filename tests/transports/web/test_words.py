"""The words that people read: plain, and the same everywhere."""

import re
from pathlib import Path

import pytest

from pendesk.domain.priority import NUMBERS, priority_level
from pendesk.transports.web.parts import assets, labels
from pendesk.transports.web.parts.glossary import GLOSSARY

WEB = Path(assets.__file__).parents[1]
FILES = sorted([*WEB.rglob("templates/**/*.html"), *WEB.rglob("static/js/*.js"), *WEB.rglob("pages/**/*.py")])
BANNED = re.compile(
    r"\b(?:Make (?:it|a|an|the)|Made|Go on|Narrow (?:it|the)|[Hh]anded (?:it )?in|[Hh]ands? in|[Ii]n hand|"
    r"[Tt]aken? back|[Ss]ettled?|[Nn]obody is|by hand|shut out|let in|Drop it|Keep it|[Aa]t work now|Needs you|"
    r"deleted for good|shown this once|the desk)\b"
)
NEVER = {"task", "tasks", "clarification", "clarifications", "picture", "pictures"}
# What is for readers of the code.
COMMENTS = {
    ".html": re.compile(r"{#.*?#}", re.S),
    ".js": re.compile(r"^\s*//.*$", re.M),
    ".py": re.compile(r"\"\"\".*?\"\"\"|#.*$", re.S | re.M),
}


def uncommented(file: Path) -> str:
    return COMMENTS[file.suffix].sub("", file.read_text())


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(WEB)))
def test_no_page_uses_a_quaint_word(file: Path):
    assert BANNED.findall(uncommented(file)) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(WEB)))
def test_people_read_action_and_question_never_task_and_clarification(file: Path):
    texts = re.findall(r'>([^<>{}]+)<|(?:title|aria-label|placeholder)="([^"{}]+)"', uncommented(file))
    assert {word.lower() for text in texts for word in re.findall(r"[A-Za-z]+", "".join(text))} & NEVER == set()


def test_every_level_of_priority_comes_back_from_its_number():
    assert {level: priority_level(number) for level, number in NUMBERS.items()} == {level: level for level in NUMBERS}
    assert [priority_level(number) for number in (0, 1, 99, 199, 299, 1000)] == [
        "none",
        "low",
        "low",
        "medium",
        "high",
        "urgent",
    ]
    assert dict(labels.priority_choices(250))["250"] == "High"  # saving a form keeps the exact number


def test_a_term_has_one_short_line_and_every_term_that_a_page_shows_is_in_the_glossary():
    used = {
        name
        for file in WEB.rglob("templates/**/*.html")
        for name in re.findall(r'(?:ui\.term\(|GLOSSARY\[)"([^"]+)"', file.read_text())
    }
    assert len(used) >= 8
    assert used <= set(GLOSSARY)
    for term, line in GLOSSARY.items():
        assert line.endswith("."), term
        assert "\n" not in line
        assert len(line) <= 220, term
