"""The words of a refusal: people can act on them, never the name of a tool; and they are those of the glossary."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pendesk
from pendesk.domain import errors
from pendesk.operations.registry import OPERATIONS

SOURCE = Path(pendesk.__file__).parent
KINDS = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.Refusal)}
TOOLS = re.compile(rf"\b({'|'.join(operation.name for operation in OPERATIONS if '_' in operation.name)})\b")
REPLACED = re.compile(
    r"\b(hand(s|ed|ing)? (\w+ )?in|in hand|taken? back|took back|shut out|let in|whom|door|bell|picture)\b",
    re.IGNORECASE,
)


def refusals() -> Iterator[tuple[str, str, ast.Call]]:
    """Every place that makes one: its file and line, the function around it, and the call."""
    for file in sorted(SOURCE.rglob("*.py")):
        for function in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KINDS:
                        yield f"{file.relative_to(SOURCE).as_posix()}:{node.lineno}", function.name, node


def is_for_people(place: str) -> bool:
    folders = ("domain/", "operations/", "transports/web/")
    return place.startswith(folders) and "/building/" not in place


def texts(values: list[ast.expr]) -> str:
    parts = [part for value in values for part in ast.walk(value)]
    return " ".join(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


def to_person(call: ast.Call) -> str:
    """What a person reads: `person` where it is given, else the message."""
    return texts([keyword.value for keyword in call.keywords if keyword.arg == "person_message"] or call.args)


def test_no_person_reads_the_name_of_a_tool():
    messages = {place: to_person(call) for place, _, call in refusals() if is_for_people(place)}
    assert len(messages) > 200
    assert {place: text for place, text in messages.items() if TOOLS.search(text)} == {}


def test_refusals_speak_plainly():
    messages = {place: texts([*call.args, *(part.value for part in call.keywords)]) for place, _, call in refusals()}
    quaint = {place: text for place, text in messages.items() if REPLACED.search(text)}
    assert quaint == {}
