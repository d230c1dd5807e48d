"""The glossary: one line for each term, and none of the terms that people meet is missing."""

import re
from pathlib import Path

import pytest

from pendesk.transports.web.parts.glossary import GLOSSARY

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "docs/glossary.md").read_text("utf-8").split("\n## ", 1)[1].splitlines()
TERM = re.compile(r"- \*\*([^*]+)\*\*: (.+\.)$")
TERMS = {match[1]: match[2] for line in LINES if (match := TERM.match(line))}
MET_BY_PEOPLE = """
    Action; Agent; Agent session; Sign-in; Claim; Criterion; Check; Submission; Inbox; Guest request; Question; Review;
    Verdict; Build; Goal; Spec; Plan; Result; Condition; Boundary; Priority; Backlog; Scoping; To do; In progress;
    In review; Changes requested; Done; Won't do; Connected; Reconnecting; Offline; Working; Quiet; Expired;
    Self-reported; Report; CI; Confirmed; Failing; Stale; Mirror; Share; Project; Workspace; Scope; Event; Webhook; Seal
"""


def test_every_line_explains_one_term():
    explained = [line for line in LINES if line.startswith("-")]
    assert [line for line in explained if not TERM.match(line)] == []
    assert len(TERMS) == len(explained), "a term stands twice"


@pytest.mark.parametrize("term", GLOSSARY)
def test_the_page_explains_it_in_the_same_line(term):
    explained = {name.lower(): line for name, line in TERMS.items()}
    assert explained.get(term, "").startswith(GLOSSARY[term])


@pytest.mark.parametrize("term", [term.strip() for term in MET_BY_PEOPLE.split(";")])
def test_what_people_meet_is_explained(term):
    assert term in TERMS
