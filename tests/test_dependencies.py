"""Libraries whose inside some of our code leans on: bounded, and installed within the bound."""

import ast
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
REQUIREMENTS = {
    requirement.name: requirement
    for text in (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["postgres"])
    for requirement in [Requirement(text)]
}
# library -> what we import of it, the files that lean on its inside, and the tests that show what a new version broke
LEANS = {
    "httptools": ("httptools", ["transports/fetch.py"], "tests/transports/test_fetch.py"),
    "markdown-it-py": (
        "markdown_it.rules",
        ["transports/markdown/tables.py", "transports/markdown/links.py"],
        "tests/transports/markdown",
    ),
    "psycopg": (
        "psycopg.pq",
        ["store/engine/postgres_link.py", "store/engine/postgres_pooler.py"],
        "tests/store/engine/test_postgres_link.py",
    ),
    "psycopg-pool": ("psycopg_pool", ["store/engine/postgres.py"], "tests/store/engine/test_failover.py"),
    "python-multipart": ("python_multipart", ["transports/rest/multipart.py"], "tests/transports/rest"),
    "uvicorn": (
        "uvicorn",
        ["transports/deadlines.py", "transports/server.py"],
        "tests/transports/test_deadlines.py",
    ),
}


@pytest.mark.parametrize("library", LEANS)
def test_the_installed_version_is_within_the_bound(library):
    _module, files, tests = LEANS[library]
    specifier = REQUIREMENTS[library].specifier
    assert any(part.operator == "<" for part in specifier), f"{library} needs an upper bound in pyproject.toml"
    assert version(library) in specifier, (
        f"{library} {version(library)} is installed, and {', '.join(files)} were written for {specifier}. Read what "
        f"changed in it, run {tests}, then raise the bound in pyproject.toml, or install by the lock files (make dev)."
    )


@pytest.mark.parametrize("library", LEANS)
def test_the_list_names_every_file_that_leans_on_it(library):
    module, files, tests = LEANS[library]
    package = ROOT / "src/pendesk"
    importers = [str(path.relative_to(package)) for path in sorted(package.rglob("*.py")) if imports(path, module)]
    assert importers == sorted(files)
    assert (ROOT / tests).exists()


def imports(path: Path, module: str) -> bool:
    return any(
        name.startswith(module)
        for node in ast.walk(ast.parse(path.read_text()))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    )
