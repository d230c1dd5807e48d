"""Dependencies that a change adds, read from its hunks."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.change import Hunk
from pendesk.domain.dependencies import added_dependencies, lists_dependencies
from tests.steps import count_steps


def hunk(text: str, heading: str = "", start: int = 10) -> Hunk:
    lines = textwrap.dedent(text).strip("\n").split("\n")
    return Hunk(start, 0, start, 0, heading, lines)


def added(path: str, *hunks: Hunk) -> list[tuple[str, bool]]:
    return [(dependency.name, dependency.sure) for dependency in added_dependencies(path, hunks)]


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("pyproject.toml", True),
        ("services/api/pyproject.toml", True),
        ("requirements.txt", True),
        ("requirements-dev.txt", True),
        ("requirements/test.txt", True),
        ("web/package.json", True),
        ("go.mod", True),
        ("crates/x/Cargo.toml", True),
        ("package-lock.json", False),
        ("Cargo.lock", False),
        ("docs/requirements.md", False),
    ],
)
def test_these_files_list_dependencies(path, is_one):
    assert lists_dependencies(path) == is_one


PYPROJECT = """
 [project]
 name = "x"
+version = "2.0"
 dependencies = [
-    "httpx>=0.27",
+    "httpx>=0.28",
+    "Left_Pad[extra]>=1; python_version > '3'",
     "anyio",
 ]

 [project.optional-dependencies]
+test = ["pytest", "hypothesis>=6"]

 [tool.ruff]
+select = ["E501"]
 [tool.poetry.dependencies]
+python = "^3.11"
+flask = "^3"
+django = {version = "5", extras = ["x"]}
 [tool.poetry.group.dev.dependencies]
+mypy = "*"
 [build-system]
-requires = ["hatchling"]
+requires = ["hatchling", "hatch-vcs"]
"""


def test_pyproject_names_what_is_new_in_each_of_its_lists():
    assert added("pyproject.toml", hunk(PYPROJECT)) == [
        ("Left_Pad", True),
        ("pytest", True),
        ("hypothesis", True),
        ("flask", True),
        ("django", True),
        ("mypy", True),
        ("hatch-vcs", True),
    ]


def test_the_heading_of_a_hunk_names_the_list_that_it_is_in():
    lines = """
         "anyio",
    +    "left-pad",
         "zlib-ng",
    """
    assert added("pyproject.toml", hunk(lines, "dependencies = [")) == [("left-pad", True)]
    assert added("pyproject.toml", hunk(lines, "select = [")) == []
    assert added("pyproject.toml", hunk(lines)) == []


def test_what_is_written_like_a_requirement_in_an_unknown_list_is_unsure():
    lines = """
         "pytest>=8",
    +    "left-pad>=1",
    """
    assert added("pyproject.toml", hunk(lines, "dev = [")) == [("left-pad", False)]


def test_requirements_name_one_to_a_line():
    lines = """
     # comment
    -httpx==0.27
    +httpx==0.28
    +left-pad  # why not
    +# commented-out
    +-r other.txt
    +--index-url https://x.test
    +-e git+https://x.test/acme/tool.git@main#egg=acme-tool
    +https://x.test/files/wheel.git
    """
    assert added("requirements-dev.txt", hunk(lines)) == [("left-pad", True), ("acme-tool", True), ("wheel", True)]


PACKAGE = """
   "scripts": {
+    "lint": "1.0 is not a version"
   },
   "dependencies": {
-    "react": "^18.0.0",
+    "react": "^19.0.0",
+    "left-pad": "^1.3.0",
     "vue": "*"
   },
+  "version": "2.0.0",
+  "devDependencies": {"vite": "latest"},
   "peerDependencies": {
+    "@types/node": "20"
"""


def test_package_json_names_what_is_new_in_each_of_its_sections():
    assert added("package.json", hunk(PACKAGE)) == [("left-pad", True), ("vite", True), ("@types/node", True)]


def test_package_json_without_its_section_is_read_by_how_a_line_is_written():
    lines = """
         "lodash": "^4.0.0",
    +    "left-pad": "^1.3.0",
    +    "build": "vite build",
    +    "node": ">=20",
         "mocha": "^10.0.0"
    """
    assert added("package.json", hunk(lines)) == [("left-pad", False)]


def test_package_json_on_one_line_is_read_too():
    line = '+{"name":"x","version":"1","dependencies":{"left-pad":"1","a":"2"},"scripts":{"b":"3"}}'
    assert added("package.json", hunk(line, start=1)) == [("left-pad", True), ("a", True)]


def test_a_name_in_escapes_is_the_same_name():
    assert added("package.json", hunk('+{"dependencies":{"left\\u002dpad":"1"}}', start=1)) == [("left-pad", True)]


GO_MOD = """
 require (
-	github.com/x/kept v1.0.0
+	github.com/x/kept v1.1.0
+	github.com/x/added/v2 v2.0.1
+	golang.org/x/sys v0.1.0 // indirect
 )

+require example.com/single v1.0.0
 replace (
+	example.com/a v1.0.0 => ../a
 )
 exclude (
+	example.com/bad v1.0.0
 )
"""


def test_go_mod_names_what_is_required_directly():
    assert added("go.mod", hunk(GO_MOD)) == [("github.com/x/added/v2", True), ("example.com/single", True)]


def test_a_block_of_go_mod_is_known_by_the_heading():
    assert added("go.mod", hunk("+\texample.com/a v1.0.0", "require (")) == [("example.com/a", True)]
    assert added("go.mod", hunk("+\texample.com/a v1.0.0", "exclude (")) == []
    assert added("go.mod", hunk("+\texample.com/a v1.0.0")) == [("example.com/a", False)]


CARGO = """
 [package]
+version = "0.2.0"
+rust-version = "1.80"

 [dependencies]
-serde = "1.0"
+serde = { version = "1.1", features = ["derive"] }
+left-pad = "1"
+renamed = { package = "real-name", version = "1" }
+shared.workspace = true
 [target.'cfg(unix)'.dev-dependencies]
+nix = "0.29"
+[dependencies.tokio]
+version = "1"
 [features]
+default = ["left-pad"]
"""


def test_cargo_names_what_is_new_in_each_of_its_tables():
    assert added("Cargo.toml", hunk(CARGO)) == [
        ("left-pad", True),
        ("real-name", True),
        ("shared", True),
        ("nix", True),
        ("tokio", True),
    ]


def test_cargo_without_its_table_is_read_by_how_a_line_is_written():
    lines = """
     serde = "1"
    +left-pad = "1.0"
    +edition = "2021"
    +description = "a crate"
    +tool = { path = "../tool" }
    """
    assert added("Cargo.toml", hunk(lines)) == [("left-pad", False), ("tool", False)]


def test_what_moves_from_one_hunk_to_another_is_no_addition():
    first, second = hunk("-left-pad==1", start=1), hunk("+left-pad==1", start=50)
    assert added("requirements.txt", first, second) == []


def test_a_file_of_another_kind_adds_none():
    assert added("src/main.py", hunk("+left-pad==1")) == []


def test_characters_that_cannot_be_seen_are_written_out():
    line = '+{"dependencies":{"left\\u0000\\u202epad \\u001b[31m":"1", "":"1"}}'
    names = [name for name, _ in added("package.json", hunk(line, start=1))]
    assert names == ["left\\u0000\\u202epad\\u0020\\u001b[31m"]


@pytest.mark.parametrize("path", ["pyproject.toml", "requirements.txt", "package.json", "go.mod", "Cargo.toml"])
@given(st.lists(st.text(alphabet="+- []{}\"'=.:,/#@()ax1\\\t\n\x00é", max_size=30), max_size=20), st.text(max_size=10))
def test_any_lines_are_read_without_a_fault(path, lines, heading):
    for dependency in added_dependencies(path, [Hunk(1, 0, 1, 0, heading, lines), Hunk(9, 0, 9, 0, heading, lines)]):
        assert dependency.name.isprintable()


@pytest.mark.parametrize("path", ["pyproject.toml", "requirements.txt", "package.json", "go.mod", "Cargo.toml"])
@pytest.mark.parametrize(
    "line", ['"' * 2_000, "[" * 2_000, "{" * 2_000, "{" * 999 + "}" * 999, 'a="' * 600, "a." * 900, "'" * 1_999]
)
def test_hostile_lines_are_read_once(path, line):
    assert count_steps(lambda: added_dependencies(path, [Hunk(1, 0, 1, 0, line, [f"+{line}"] * 3)])) < 200_000
