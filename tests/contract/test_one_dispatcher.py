"""One dispatcher: nothing else builds a call or opens the store, and every operation is registered and tested."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

import pendesk
from pendesk import operations
from pendesk.operations.operation import Operation, SecretOperation, ServerOperation
from pendesk.operations.registry import OPERATIONS, SECRET_OPERATIONS, SERVER_OPERATIONS

SOURCE = Path(pendesk.__file__).parent
TESTS = Path(__file__).parents[1]
ENTRIES = {"read", "long_read", "heavy_read", "write", "long_write"}
# Below the dispatcher, or before there is one.
OPENS_THE_STORE = {
    "operations/dispatch.py",
    "main.py",  # the composition root: which secret the database is bound to
    "feed/poller.py",  # part of the store's own signal
    "cli/parts/diagnostics.py",  # `doctor`, on an installation that may not open at all
}


def trees(folder: Path, pattern: str = "*.py") -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(folder.rglob(pattern)):
        yield path.relative_to(folder).as_posix(), ast.parse(path.read_text("utf-8"))


def called_name(node: ast.AST) -> str:
    """The last part of what a call calls; empty for what is no call."""
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def builds_a_call(tree: ast.Module) -> bool:
    return any(called_name(node) in ("Call", "PrivilegedCall") for node in ast.walk(tree))


def opens_the_store(tree: ast.Module) -> bool:
    """A call of store.read and the like."""
    return any(
        node.attr in ENTRIES and ast.unparse(node.value).rpartition(".")[2] in ("store", "_store")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
    )


def test_only_the_dispatcher_builds_calls():
    builders = {
        name for name, tree in trees(SOURCE) if builds_a_call(tree) and not name.startswith("client/")
    }  # the client's Call is a request
    assert builders == {"operations/dispatch.py"}


def test_only_the_dispatcher_opens_the_store():
    openers = {name for name, tree in trees(SOURCE) if opens_the_store(tree) and not name.startswith("store/")}
    assert openers == OPENS_THE_STORE


@pytest.mark.parametrize("folder", ["transports", "cli"])
def test_transports_and_commands_have_no_store_at_hand(folder):
    holders = {
        name
        for name, tree in trees(SOURCE / folder)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("store", "_store")
    }
    assert holders == set()


def declared() -> dict[type, dict[str, set[str]]]:
    """Every operation value of every module under operations/: its kind, its name, and the modules that have it."""
    values: dict[type, dict[str, set[str]]] = {Operation: {}, SecretOperation: {}, ServerOperation: {}}
    for module in pkgutil.walk_packages(operations.__path__, "pendesk.operations."):
        if module.name == "pendesk.operations.registry":
            continue
        for value in vars(importlib.import_module(module.name)).values():
            if type(value) in values:
                values[type(value)].setdefault(value.name, set()).add(module.name.rpartition(".")[2])
    return values


@pytest.mark.parametrize(
    ("kind", "registered"),
    [(Operation, OPERATIONS), (SecretOperation, SECRET_OPERATIONS), (ServerOperation, SERVER_OPERATIONS)],
)
def test_every_operation_is_registered_once_under_the_name_of_its_file(kind, registered):
    names = [operation.name for operation in registered]
    modules = declared()[kind]
    assert sorted(names) == sorted(modules)
    assert [name for name in names if name not in modules[name]] == []


def names_of_all() -> list[str]:
    return [
        *(operation.name for operation in OPERATIONS),
        *(operation.name for operation in SECRET_OPERATIONS),
        *(operation.name for operation in SERVER_OPERATIONS),
    ]


def test_no_name_is_of_two_operations():
    names = names_of_all()
    assert len(names) == len(set(names))


@pytest.mark.parametrize("kind", [Operation, SecretOperation, ServerOperation])
def test_nothing_of_an_operation_can_be_left_out(kind):
    assert all(field.default is MISSING and field.default_factory is MISSING for field in fields(kind))


def words_of_tests() -> set[str]:
    """What test files call, import or name as text: an operation's name among them is a test that calls it."""
    words: set[str] = set()
    # answers.py is the story that test_answers.py runs.
    for _name, tree in [*trees(TESTS, "test_*.py"), *trees(TESTS, "answers.py")]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.add(node.value)
            elif isinstance(node, ast.Name):
                words.add(node.id)
            elif isinstance(node, ast.Attribute):
                words.add(node.attr)
    return words


def test_every_operation_is_called_by_a_test():
    words = words_of_tests()
    assert [name for name in names_of_all() if name not in words] == []
