"""States are types: where code decides by a state, or sets one, it names the member and never writes the text."""

import ast
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import pendesk
from pendesk.domain.action import ActionState
from pendesk.domain.claim import ClaimState
from pendesk.domain.clarification import QuestionState
from pendesk.domain.criterion import CriterionStatus, EvidenceLevel
from pendesk.domain.review import CriterionVerdict, Disposition, Verdict
from pendesk.domain.run import RunStatus

SOURCE = Path(pendesk.__file__).parent
STATES: list[type[StrEnum]] = [
    *(ActionState, ClaimState, CriterionStatus, EvidenceLevel, QuestionState),
    *(Verdict, CriterionVerdict, Disposition, RunStatus),
]
WORDS = {member.value for states in STATES for member in states}
FOLDERS = ("operations/building", "operations/actions", "operations/review", "operations/runs", "domain")
STATE_FIELDS = ("state", "status", "level", "verdict", "disposition")
# States of other nouns, which share some of the words: a project, a guest's request, a pull request, a mirror.
OTHER_NOUNS = {"deletion.py", "edge.py", "github.py", "guest_request.py", "insights.py", "mirror.py", "project.py"}


def files() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (path for path in sorted((SOURCE / folder).glob("*.py")) if path.name not in OTHER_NOUNS)


def bare_states(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and "project_state" not in ast.unparse(node):
            yield from (part for side in (node.left, *node.comparators) for part in words_in(side))
        elif isinstance(node, ast.keyword) and node.arg in STATE_FIELDS:
            yield from words_in(node.value)


def words_in(node: ast.AST) -> Iterator[ast.AST]:
    """Of the side of a comparison: a word by itself, or in a list of them."""
    listed = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    choices = [*listed, *(part for each in listed if isinstance(each, ast.IfExp) for part in (each.body, each.orelse))]
    yield from (part for part in choices if isinstance(part, ast.Constant) and part.value in WORDS)


def test_no_state_is_written_as_a_text():
    assert len(list(files())) > 80
    written = {
        f"{path.relative_to(SOURCE)}:{node.lineno}: {ast.unparse(node)}"  # type: ignore[attr-defined]
        for path in files()
        for node in bare_states(ast.parse(path.read_text()))
    }
    assert written == set()


def test_the_walk_finds_a_state_in_each_of_its_places():
    code = """
if action.state == "todo": pass
if claim.state in ("active", "submitted"): pass
save(state="in_review")
save(status="stale" if silent else run.status)
"""
    assert len(list(bare_states(ast.parse(code)))) == 5
