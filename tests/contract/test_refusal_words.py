"""What people are told when something is refused: words that they can act on, never the name of a tool."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pendesk
from pendesk.domain import errors
from pendesk.operations.registry import OPERATIONS

SOURCE = Path(pendesk.__file__).parent
KINDS = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.Refusal)}
TOOLS = re.compile(rf"\b({'|'.join(each.name for each in OPERATIONS if '_' in each.name)})\b")
# Rules of building, which no page asks for: agents are told which tool helps.
ONLY_AGENTS = {
    *("check_cap", "check_claimable", "check_free", "_why_not_held"),
    *("check_dispositions", "check_none_open", "check_may_report", "_check_running", "check_may_resubmit"),
}


def refusals() -> Iterator[tuple[str, ast.Call]]:
    for room in ("domain", "operations", "transports/web"):
        for file in (SOURCE / room).rglob("*.py"):
            if "building" in file.parts:
                continue
            for function in ast.walk(ast.parse(file.read_text())):
                if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) or function.name in ONLY_AGENTS:
                    continue
                for node in ast.walk(function):
                    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KINDS:
                        yield f"{file.relative_to(SOURCE)}:{node.lineno}", node


def words(call: ast.Call) -> str:
    """What a person reads: `person` where it is given, else the message."""
    to_person = [each.value for each in call.keywords if each.arg == "person"]
    parts = [part for each in to_person or call.args for part in ast.walk(each)]
    return " ".join(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


def test_no_person_is_told_to_call_a_tool():
    told = {place: words(call) for place, call in refusals()}
    assert len(told) > 200
    assert {place: text for place, text in told.items() if TOOLS.search(text)} == {}
