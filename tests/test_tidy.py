"""The code stays as small and plain as it is: sizes, names, and where things are. What grows over a limit is split.

Complexity is ruff's (`C901` in pyproject.toml).
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pendesk"
MODULES = sorted(SOURCE.rglob("*.py"))
GENERATED = {"client/calls.py", "client/models.py", "client/sync_pendesk.py"}

# 99 of 100 files are shorter.
FILE_LINES = 360
LONGER_FILES = {
    "domain/event_data.py": "a list",
    "domain/limits.py": "a list",
    "operations/registry.py": "a list",
    "store/engine/sqlite.py": "one writer and its batches: apart they would share all their state",
    "store/portable/tables.py": "a list",
}
FUNCTION_LINES = 45
EMPTY_NAMES = {"utils", "helpers", "common", "core", "services", "misc"}
# Names that say nothing about what they hold, and where one is a field of a file that repositories hold.
BANNED_NAMES = {"told", "asked", "found", "one", "each", "said", "made"}
STORED_FIELDS = {("cli/binding/snippets.py", "made")}
# Settings are read in one place. The others read what is no setting of the server.
READS_ENVIRONMENT = {
    "settings.py": "every setting",
    "cli/": "the caller's shell: which server, which token, which screen",
    "store/engine/postgres_connect.py": "libpq's own variables",
    "store/portable/database_copy.py": "handed on to pg_dump and pg_restore",
    "transports/markdown/process.py": "handed on to a process, all but a few left out",
}
# Tests of more than one module: whole folders, and files of the others by what they show.
WHOLE_PROGRAM = {"clients", "contract", "crash", "docs", "e2e", "model", "races", "reference"}
THEMES = {
    "cli/binding": "undo",
    "cli/commands": "backup_secret doctor_repo import",
    "cli": "main",
    "client": "client docs",
    "operations/access": "agents invites members oidc_session password_session removal sign_in token_life tokens",
    "operations/actions": "actions convert criteria edges edits_at_once task_moves tasks",
    "operations/attachments": "attachments",
    "operations/building": "agent_sessions available_specs clarifications evidence_states expired_claims fences "
    "brief_documents hidden_actions long_brief other_actions published_criteria "
    "reports submissions",
    "operations/comments": "comments mentions threads",
    "operations/documents": "documents",
    "operations/exchange": "imported_timeline",
    "operations/github": "fetches github_token webhook_settings",
    "operations/housekeeping": "housekeeping tool_uses",
    "operations/oauth": "consent devices grants",
    "operations/projects": "canvas projects",
    "operations/review": "dropped_in_inbox line_comments review_edges",
    "operations/runs": "agent_runs",
    "operations/saved_views": "saved_views",
    "operations/sessions": "kept_leases",
    "operations/sharing": "shares submissions two_servers",
    "operations/specs": "specs",
    "operations": "deleting fold kinds_of_news",
    "operations/timeline": "event_visibility no_names_in_events sealing",
    "operations/watching": "watching",
    "operations/webhooks": "leases webhooks",
    "store/engine": "agents_migration damage dropped_prerequisites_migration failover news_migration "
    "prepared_statements reports_migration states_migration submissions_migration text_refs_migration",
    "store": "both event_about_migration faults order_check owners_migration statements",
    ".": "dependencies hostile_input installed patterns postgres_cluster tidy webhook_docs",
    "transports/live": "activity at_once event_visibility events rights slow_readers",
    "transports/markdown": "stalls",
    "transports/mcp": "authenticate drafting_tools eras hang_up hooks_hostile planning_tools rate_over_processes "
    "results snapshots tools_list",
    "transports/oauth": "device secrets",
    "transports/oidc": "oidc user_info",
    "transports/rest": "attachments test_reports",
    "transports/share": "share_page",
    "transports": "address_limits database_refuses every_request full_disk",
    "transports/web/pages": "dropped fetch writing",
    "transports/web": "same_origin words",
    "transports/webhooks": "checks deliveries pull_requests push signature",
}


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def written_by_hand() -> list[Path]:
    return [path for path in MODULES if name_of(path) not in GENERATED]


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text("utf-8")))


def test_files_are_short():
    long = {name_of(path) for path in written_by_hand() if len(path.read_text("utf-8").splitlines()) > FILE_LINES}
    assert long == set(LONGER_FILES)


def test_functions_are_short():
    lengths = {
        f"{name_of(path)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in written_by_hand()
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {place: lines for place, lines in lengths.items() if lines > FUNCTION_LINES} == {}


def test_no_module_has_a_name_that_says_nothing():
    assert [name_of(path) for path in MODULES if {path.stem, path.parent.name} & EMPTY_NAMES] == []


def test_the_environment_is_read_in_few_places():
    readers = {name_of(path) for path in MODULES if re.search(r"\bos\.(environ|getenv)\b", path.read_text("utf-8"))}
    assert {name for name in readers if not name.startswith(tuple(READS_ENVIRONMENT))} == set()
    assert {place for place in READS_ENVIRONMENT if not any(name.startswith(place) for name in readers)} == set()


def bound_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Parameters, variables, fields and attributes, with the line where each gets its value."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


def test_names_say_what_they_hold():
    banned = [
        f"{name_of(path)}:{line} {name}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line, name in bound_names(ast.parse(path.read_text("utf-8")))
        if name in BANNED_NAMES and (name_of(path), name) not in STORED_FIELDS
    ]
    assert banned == []


def test_every_way_to_bind_a_name_is_seen():
    text = """
def call(told, *, asked=None):
    found: int = 1
    self.said = [each for each in told if (made := each)]
    with open() as one: ...
"""
    assert {name for _, name in bound_names(ast.parse(text))} >= BANNED_NAMES


def test_every_test_file_is_found_by_the_name_of_what_it_tests():
    unnamed = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        place = path.with_name(path.stem.removeprefix("test_")).relative_to(ROOT / "tests")
        module = SOURCE / place
        if place.parts[0] not in WHOLE_PROGRAM and not module.is_dir() and not module.with_suffix(".py").exists():
            unnamed.add(place)
    themes = {Path(folder) / name for folder, names in THEMES.items() for name in names.split()}
    assert sorted(unnamed - themes) == [], "name it after its module, or list it in THEMES"
    assert sorted(themes - unnamed) == [], "these are not there, or need no place in THEMES"


def test_docstrings_name_what_is_there():
    """A parameter that is renamed is renamed in the sentence about it, too."""
    source = {path: path.read_text("utf-8") for path in MODULES}
    identifiers = {
        word for text in source.values() for word in re.findall(r"\w+", re.sub(r'""".*?"""', "", text, flags=re.S))
    }
    named = {
        f"{name_of(path)}: {word}"
        for path, text in source.items()
        for docstring in re.findall(r'""".*?"""', text, re.S)
        for word in re.findall(r"`([a-z]+_[a-z_]+)`", docstring)
        if word not in identifiers
    }
    assert named == set()
