"""docs/reference/refusals.md: every code that a refusal can carry, read from the places that raise it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pendesk
from pendesk.domain import errors
from pendesk.transports.problems import FAULT, PLAIN, STATUS
from tests.reference.markdown import anchored, code, plain, table

HEAD = """\
# Refusals

Every code, by HTTP status. Generated from the places that raise them; `make reference` writes it anew. Over MCP a
refusal is a result with `isError`, over REST the status itself, with the same body:
`{"error": {"status", "code", "message", ...}}`. The message says what is wrong and what to do next; the code is for
programs, and never changes. What to do next is said in the tools that the caller has; where that differs, the first
of it stands here. `…` stands for what differs from case to case.
"""
SOURCE = Path(pendesk.__file__).parent
CLASSES: dict[str, type[errors.Refusal]] = {
    name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.Refusal)
}
MOST_MESSAGES = 3
IN_SHORT = {
    400: "What OAuth clients ask for, by the codes of the RFCs.",
    401: "The caller is not known. A token that worked before has expired or was revoked.",
    403: "The caller is known, and may not do this.",
    404: "Not there, or not visible to the caller: the answer is the same.",
    409: "Somebody was faster. Read again, then decide; a plain retry is refused again.",
    422: "A field, by name, or a rule. Change the call.",
    500: "A fault of the server.",
    502: "Another server that this one called.",
    503: "The server cannot do it now. Try again after `Retry-After`.",
}
# What each class is for: the branches of the tree in the docstring of domain/errors.py.
MEANINGS: dict[str, str] = dict(re.findall(r"^[│├└─ ]*(\w+) {2,}(\S.*)$", errors.__doc__ or "", re.MULTILINE))
WORDLESS = {kind for name, kind in CLASSES.items() if name not in MEANINGS}


class Raised(NamedTuple):
    status: int
    code: str
    message: str


def render() -> str:
    by_status: dict[int, dict[str, list[str]]] = {}
    for status, name, message in sorted({*_by_class(), *_by_call(), *_by_routing()}):
        by_status.setdefault(status, {}).setdefault(name, []).append(message)
    lines, anchors = [HEAD], set[str]()
    for status, codes in sorted(by_status.items()):
        lines += [f"## {status}", "", *([IN_SHORT[status], ""] if status in IN_SHORT else [])]
        # A code with two statuses is found at the first.
        rows = [
            (code(name) if name in anchors else anchored(name, code(name)), _messages(messages))
            for name, messages in codes.items()
        ]
        anchors |= set(codes)
        lines += table(("code", "what it says"), rows)
    return "\n".join(lines)


def _messages(messages: list[str]) -> str:
    lines = [plain(message) for message in messages[:MOST_MESSAGES]]
    return "<br>".join([*lines, *(["And others."] if len(messages) > MOST_MESSAGES else [])])


def _by_class() -> Iterator[Raised]:
    """The words of the tree hold for all messages of a class."""
    for name, kind in CLASSES.items():
        if "code" in vars(kind) and (meaning := MEANINGS.get(name)):
            yield Raised(_status(kind), kind.code, f"{meaning[:1].upper()}{meaning[1:]}.")


def _by_call() -> Iterator[Raised]:
    for file in sorted(SOURCE.rglob("*.py")):
        if "client" in file.relative_to(SOURCE).parts[:1]:
            continue
        module = ast.parse(file.read_text("utf-8"))
        constants = _constants(module)
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and (kind := CLASSES.get(_name(node.func))):
                yield from _raised(kind, node, constants)


def _raised(kind: type[errors.Refusal], call: ast.Call, constants: dict[str, ast.expr]) -> Iterator[Raised]:
    """A call that gives a code of its own, or whose class has no words in the tree."""
    for arguments in _arguments(call.args, constants):
        if kind is errors.OAuthRefused:
            name, message = (_text(argument, constants) for argument in arguments[:2])
        else:
            given = [keyword.value for keyword in call.keywords if keyword.arg == "code"]
            name = _text(given[0], constants) if given else kind.code if kind in WORDLESS else ""
            message = f"{_text(arguments[0], constants)}{_advice(call, constants)}" if arguments else ""
            message = message.replace(".… …", ". …")
        if name:
            yield Raised(_status(kind), name, message)


def _advice(call: ast.Call, constants: dict[str, ast.expr]) -> str:
    """The first of what it may advise."""
    values = [keyword.value for keyword in call.keywords if keyword.arg == "advice"]
    values = [constants.get(_name(value), value) for value in values]
    advice = [
        part
        for value in values
        for part in ast.walk(value)
        if isinstance(part, ast.Call) and _name(part.func) == "Advice"
    ]
    return f" {_text(advice[0].args[0], constants)}" if advice else " …" if values else ""


def _arguments(given: list[ast.expr], constants: dict[str, ast.expr]) -> Iterator[list[ast.expr]]:
    """With `*EXPIRED` and `*(A if slow else B)` replaced by the pairs that the names stand for."""
    if not given or not isinstance(given[0], ast.Starred):
        yield given
        return
    starred = given[0].value
    for choice in (starred.body, starred.orelse) if isinstance(starred, ast.IfExp) else (starred,):
        pair = constants.get(_name(choice))
        if isinstance(pair, ast.Tuple):
            yield pair.elts


def _by_routing() -> Iterator[Raised]:
    """What no operation raises: routing itself, and faults."""
    for status, (name, message) in PLAIN.items():
        yield Raised(status, name, message)
    yield Raised(500, "internal_error", FAULT)


def _status(kind: type[errors.Refusal]) -> int:
    return next(STATUS[base] for base in kind.__mro__ if base in STATUS)


def _constants(module: ast.Module) -> dict[str, ast.expr]:
    return {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _text(node: ast.expr, constants: dict[str, ast.expr]) -> str:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr():
            return re.sub("…+", "…", "".join(_text(part, constants) for part in node.values))
        case ast.BinOp(op=ast.Add()):
            return _text(node.left, constants) + _text(node.right, constants)
        case ast.Subscript():
            return _text(node.value, constants)
        case ast.Name() if node.id in constants:
            return _text(constants[node.id], constants)
    return "…"
