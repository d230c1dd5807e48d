"""Libraries whose inside some of our code leans on: bounded, and installed within the bound."""

import ast
import json
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from scripts import audit_dependencies as audit

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
        ["store/engine/postgres_link.py", "store/engine/postgres_lookups.py", "store/engine/postgres_pooler.py"],
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


def answer_with(tmp_path, vulnerable):
    """What OSV says to our questions: one advisory for that package, none for the others."""
    pins = sorted(set().union(*(audit.read_lock(path).pins for path in audit.LOCKS)))
    results = [{"vulns": [{"id": "GHSA-1"}]} if pin.name == vulnerable else {} for pin in pins]
    file = tmp_path / "answer.json"
    file.write_text(json.dumps({"results": results}))
    return ["--advisories", str(file)]


def test_all_that_is_installed_is_locked_by_hash(tmp_path, capsys):
    assert audit.main(answer_with(tmp_path, None)) == 0, capsys.readouterr().out


def test_an_advisory_about_what_is_locked_fails_the_audit(tmp_path, capsys, monkeypatch):
    assert audit.main(answer_with(tmp_path, "uvicorn")) == 1
    assert f"advisory: uvicorn {version('uvicorn')}: GHSA-1" in capsys.readouterr().out
    monkeypatch.setitem(audit.ACCEPTED, "GHSA-1", "of no concern here")
    assert audit.main(answer_with(tmp_path, "uvicorn")) == 0


def test_without_a_network_the_audit_says_so_and_fails_only_where_asked_to(capsys, monkeypatch):
    def no_network(_pins):
        raise OSError("no network")

    monkeypatch.setattr(audit, "ask_for_advisories", no_network)
    assert audit.main([]) == 0
    assert "NOT checked (no network)" in capsys.readouterr().out
    assert audit.main(["--require-advisories"]) == 1


def test_what_is_not_pinned_or_has_no_hash_fails_the_audit(tmp_path):
    lock = tmp_path / "lock.txt"
    lock.write_text("# a comment\nanyio==4.1 \\\n    --hash=sha256:aa\nhttpx>=1 --hash=sha256:aa\nuvicorn==1\n")
    assert audit.read_lock(lock).pins == {audit.Pin("anyio", "4.1"), audit.Pin("uvicorn", "1")}
    assert audit.read_lock(lock).problems == [
        "lock.txt: httpx>=1 is not pinned to one version",
        "lock.txt: uvicorn has no hash",
    ]


def test_what_is_installed_and_not_locked_is_named():
    assert f"installed: uvicorn {version('uvicorn')} is not in a lock file" in audit.differences_from_installed(set())
