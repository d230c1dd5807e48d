"""Every regular expression in the source, found by reading it."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pendesk

ROOT = Path(pendesk.__file__).parent
FROM_THE_BEGINNING = {"match", "fullmatch"}


class Pattern(NamedTuple):
    """`text` is None where it is put together when it is used: then it depends on names that are not known here."""

    place: str
    text: str | None
    flags: int
    anchored: bool


def patterns() -> Iterator[Pattern]:
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        tree = ast.parse(path.read_text())
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        if any(_is_pattern(call) for call in calls):
            module = importlib.import_module(".".join(["pendesk", *parts]).removesuffix(".__init__"))
            yield from _of_module("/".join(parts) + ".py", tree, calls, module)


def _is_pattern(call: ast.Call) -> bool:
    return _function(call).startswith("re.") or any(each.arg == "pattern" for each in call.keywords)


def _function(call: ast.Call) -> str:
    return ast.unparse(call.func)


def _of_module(place: str, tree: ast.Module, calls: list[ast.Call], module: ModuleType) -> Iterator[Pattern]:
    used = _uses(calls)
    compiled = {id(node.value): ast.unparse(node.targets[0]) for node in ast.walk(tree) if isinstance(node, ast.Assign)}
    for call in calls:
        told = [each.value for each in call.keywords if each.arg == "pattern"]
        if told:
            yield Pattern(place, _text(told[0], module), 0, anchored=False)
        elif _function(call).startswith("re.") and _function(call) != "re.escape" and call.args:
            method = _function(call).removeprefix("re.")
            methods = used.get(compiled.get(id(call), ""), set()) if method == "compile" else {method}
            flags = [_value(each, module) for each in call.args[1:] + [one.value for one in call.keywords]]
            number = sum(int(each) for each in flags if isinstance(each, re.RegexFlag))
            yield Pattern(place, _text(call.args[0], module), number, bool(methods) and methods <= FROM_THE_BEGINNING)


def _uses(calls: list[ast.Call]) -> dict[str, set[str]]:
    """Name -> the methods that are called on it."""
    found: dict[str, set[str]] = {}
    for call in calls:
        if isinstance(call.func, ast.Attribute):
            found.setdefault(ast.unparse(call.func.value), set()).add(call.func.attr)
    return found


def _text(node: ast.expr, module: ModuleType) -> str | None:
    value = _value(node, module)
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _value(node: ast.expr, module: ModuleType) -> Any:
    try:
        return eval(compile(ast.Expression(node), "<pattern>", "eval"), vars(module))
    except NameError:
        return None
