"""Where refusals are made that an agent can meet: followed from the tools through what each function refers to."""

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pendesk
from pendesk.domain import errors
from pendesk.operations.registry import TOOLS

SOURCE = Path(pendesk.__file__).parent
KINDS = {
    name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.Refusal)
}

Symbol = tuple[str, str]  # a module, and a function or class in it


class Site(NamedTuple):
    """`place` is file:function, `code` what the refusal carries."""

    place: str
    code: str


class Module:
    def __init__(self, name: str) -> None:
        path = SOURCE.parent / Path(*name.split("."))
        self.path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        tree = ast.parse(self.path.read_text("utf-8"))
        self.definitions = {
            node.name: node
            for node in tree.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
        }
        self.imports = {
            alias.asname or alias.name: (node.module or "", alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pendesk")
            for alias in node.names
        }


@cache
def module(name: str) -> Module:
    return Module(name)


def is_module(name: str) -> bool:
    path = SOURCE.parent / Path(*name.split("."))
    return path.with_suffix(".py").is_file() or path.is_dir()


def symbols_used(owner: str, node: ast.AST) -> set[Symbol]:
    used: set[Symbol] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            if part.id in module(owner).definitions:
                used.add((owner, part.id))
            elif part.id in module(owner).imports:
                used.add(module(owner).imports[part.id])
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            parent, name = module(owner).imports.get(part.value.id, ("", ""))
            if parent and is_module(f"{parent}.{name}"):
                used.add((f"{parent}.{name}", part.attr))
    return used


def symbols_reached_by_tools() -> set[Symbol]:
    """All that the tools' own modules define, and all that this refers to."""
    queue = [(tool.input.__module__, name) for tool in TOOLS for name in module(tool.input.__module__).definitions] + [
        ("pendesk.operations.dispatch", "Dispatcher"),
        ("pendesk.transports.mcp.methods", "call_tool"),
    ]
    reached: set[Symbol] = set()
    while queue:
        symbol = queue.pop()
        owner, name = symbol
        if symbol in reached or owner == "pendesk.domain.errors" or not is_module(owner):
            continue
        reached.add(symbol)
        definition = module(owner).definitions.get(name)
        if definition is not None:
            queue += symbols_used(owner, definition)
    return reached


def code_of(call: ast.Call) -> str:
    kind = KINDS[call.func.id]  # type: ignore[attr-defined]
    codes = [
        str(part.value.value) for part in call.keywords if part.arg == "code" and isinstance(part.value, ast.Constant)
    ]
    return codes[0] if codes else kind.code


def sites_reached_by_tools() -> set[Site]:
    sites: set[Site] = set()
    for owner, name in symbols_reached_by_tools():
        definition = module(owner).definitions.get(name)
        if definition is None:
            continue
        functions = [node for node in ast.walk(definition) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        for function in functions:
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KINDS:
                    place = module(owner).path.relative_to(SOURCE).as_posix()
                    sites.add(Site(f"{place}:{function.name}", code_of(node)))
    return sites
