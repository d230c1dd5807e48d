"""Every statement finds what it looks for by an index, and what it costs does not follow what lies beside.

There is no ANALYZE anywhere, so SQLite has no figures about the data and its plans depend on the texts alone: what is
planned well on this desk is planned so on every one. Without figures it takes a workspace for as good a hint as an
action, which is the luck that is looked for here. The cures are an index that begins with what is known and holds all
that is read, CROSS JOIN (SQLite keeps that order) and AS MATERIALIZED (nothing outside lures it to another index).
"""

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import apsw
import pytest

import pendesk
from pendesk.store.engine import sqlite
from pendesk.store.engine.migrate import migrate
from tests import answers, guest_requests
from tests.large_desk import Size, seed
from tests.sqlite_steps import counted
from tests.statements import known, recorded, values

SOURCES = Path(pendesk.__file__).parent
SMALL, CROWDED = Size(200, 200, 200), Size(200, 2_000, 2_000)
MORE_WORK = 1.5
CONTROL = re.compile("BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA wal_checkpoint")
SQL_WORD = re.compile(r"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|ORDER BY|LIMIT)\b")

STATEMENTS = known()

# What goes through a whole workspace, or a whole table, and why it may. Nothing here is for the loop's thread unless
# what it goes through is small by nature.
WIDE = {
    "agent_sessions.AT_WORK_IN_PROJECT": "active claims of a workspace; a message to a project is sent in a thread",
    "agent_sessions.OF_AGENTS": "active claims of a workspace; list_agents runs in a thread",
    "agent_sessions.FORGET_MARKS": "marks of all terminals; the server's own housekeeping, once an hour, in a thread",
    "agent_sessions.FORGET_NEWS": "what terminals have not read; with the marks, once an hour, in a thread",
    "agent_visibility.ANY_AGENT": "stops at the first; at worst all tokens and grants of a workspace",
    "agents.*": "members, active claims and newest runs of a workspace; list_agents runs in a thread",
    "assignees.AGENTS*": "members of a workspace and their agents; asked when somebody is assigned, or on a board",
    "assignees.MEMBERS*": "members of a workspace; the same",
    "attachments.USED_BYTES": "files of a workspace; in a thread, when one is added or the workspace is shown",
    "availability.ASSIGNED_TO_*": "projects of a workspace, and in each what takes no spec by its own index",
    "availability.COUNT_OPEN": "open actions of a workspace, no more than limits.OPEN_LOOKED_AT",
    "availability.OPEN_OF_ALL": "open actions of a workspace; get_insights runs in a thread",
    "availability.OPEN_OF_PARTICIPANT": "open actions of a workspace; of many, in a thread",
    "availability.FREE_WITHOUT_SPEC": "projects of a workspace, and in each what takes no spec by its own index",
    "availability.OPEN_WITHOUT_SPEC": "projects of a workspace, and in each what takes no spec by its own index",
    "availability.OUT_OF_REACH": "specs of a workspace; only who finds nothing free asks",
    "board.IN_ANY_STATE*": "a is what is open, and the newest of what is closed, by their indexes",
    "board.IN_CLOSED_STATE*": "a is the newest of what is closed, by an index",
    "claims.LIVE": "active claims; the metrics are read in a thread",
    "clients.DROP_OLDEST": "clients that nobody has let in; it stops after limits.UNUSED_CLIENTS",
    "devices.DENY_OF_USER": "sign-ins that wait for their person: they live ten minutes",
    "dialect.SQLITE_APPEND_EVENT": "the last entry of the index",
    "dialect.SQLITE_SEARCH*": "full text knows no workspace; search runs in a thread",
    "events.LAST_SEQ": "the last entry of the index",
    "events.NEWEST": "the last entry of the index, for each workspace named",
    "events.NEWEST_TIME": "the last entry of the index, for each workspace; doctor alone asks",
    "events.PAGE": "a window of the log: limits.TIMELINE_WINDOW events",
    "first_steps.STEPS": "stops at the first; at worst all specs or tokens of a workspace",
    "github.KEYS_WITH_WEBHOOK": "projects of a workspace; only `pendesk secret rotate` asks",
    "github_fetches.TOKENS_OF_WORKSPACE": "at most one for each project; only `pendesk secret rotate` asks",
    "github.OF_OWNER": "at most one for each project; asked when a member leaves",
    "grants.LIVE*": "grants of a workspace: a few for each member",
    "insights.*": "counts over a whole workspace; get_insights runs in a thread",
    "invites.*": "invites of a workspace: they live a week",
    "nearest.KEYS": "projects of a workspace; asked for a refusal of a ref whose project the caller does not see",
    "needs.*": "what is open: each by an index that holds nothing else",
    "overview.PROJECTS": "projects of a workspace, and a count in each by its index",
    "participants.FINISHED_SPECS": "the newest specs, until limits.FINISHED_SPECS_LISTED of them are finished",
    "people.ACCOUNTS": "members of a workspace",
    "people.FIRST_OWNER": "members of a workspace",
    "people.OWNERS": "members of a workspace",
    "people.PEOPLE_WITH": "members of a workspace",
    "mirrors.COUNT": "at most limits.WORKSPACE_PICTURES",
    "mirrors.OF_OWNER": "at most limits.WORKSPACE_PICTURES",
    "next_tasks.OPEN_OF_PROJECT": "what was dropped and not accepted, by an index that holds nothing else",
    "next_tasks.ORDER_OF_OPEN": "the same",
    "rows.PAGE*": "rows in the order of their ids; export_project runs in a thread",
    "rows.PEOPLE_IN*": "whoever is named in a project; export_project runs in a thread",
    "projects.WITHOUT_ACTIVITY": "projects that want no steps saved, by an index that holds nothing else",
    "project_cards.AT_WORK": "active claims of a workspace; list_project_cards runs in a thread",
    "project_cards.WAITING": "what is open: each by an index that holds nothing else",
    "projects.KEYS": "keys of the projects of a workspace",
    "publications.FORGET": "at most one for each project",
    "publications.OF_WORKSPACE": "at most one for each project; only `pendesk secret rotate` asks",
    "purge.LIVE_CLAIMS_OF_PROJECT": "active claims of a workspace; delete_project runs in a thread",
    "seals.ALL": "all seals of a workspace; only `pendesk verify` asks",
    "seals.NEWEST": "the last entry of the index",
    "seals.UNSEALED": "workspaces of an installation, and the last entries of two indexes for each",
    "seals.WORKSPACES": "workspaces of an installation; only `pendesk verify` asks",
    "session_activity.DELETE_OLD": "all sessions of late; the server's own housekeeping, once an hour, in a thread",
    "session_steps.LONG": "steps of all sessions; the server's own housekeeping, once an hour, in a thread",
    "sign_in.NAME_OF_FIRST": "stops at the first sign-in, an early event; it takes a link that is still good",
    "sign_in.EVER_SIGNED_IN": "stops at the first sign-in, an early event; `init` and `serve` ask before they serve",
    "sign_in.USE_LINKS_OF_MAKER": "links live fifteen minutes",
    "tallies.PROJECTS_TO_FOLD": "some hundred rows a project; the server's own housekeeping, once a minute",
    "tallies.SINCE_OF_ALL": "projects of a workspace, and some hundred rows in each; get_insights runs in a thread",
    "timeline.ALL": "a window of the log: limits.TIMELINE_WINDOW events",
    "webhooks.*": "at most limits.WEBHOOKS of a workspace",
}

# Tables of which a workspace has a handful of rows at most, by their nature: to go through those is no work.
FEW_ROWS = {"unfinished_imports"}
# Rows that are never deleted need not be looked for among those that refer to them.
NEVER_DELETED = {"workspaces", "users", "members"}
# References without an index all the same: the child's table and its column.
UNINDEXED = {("publications", "share_id"): "at most one for each project"}


def wide_steps(connection: apsw.Connection, name: str) -> list[str]:
    """The steps of a plan that know nothing of a table's rows but their workspace, or not even that."""
    sql = STATEMENTS[name]
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values(name, sql))]
    return [step for step in plan if _is_wide(step, _tables_in(sql, _tables(connection) - FEW_ROWS))]


def _tables(connection: apsw.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def _tables_in(sql: str, tables: set[str]) -> set[str]:
    """What a plan may call them: their names and their aliases."""
    named = re.findall(r"\b(?:FROM|JOIN|UPDATE|INTO)\s+([a-z_]+)(?:\s+(?:AS\s+)?([a-z_]+))?", sql)
    return {name for table, alias in named if table in tables for name in (table, alias)}


def _is_wide(step: str, names: set[str]) -> bool:
    if "AUTOMATIC" in step:
        return True
    way = re.match(r"(SCAN|SEARCH) (\w+)", step)
    if way is None or way[2] not in names:
        return False
    known_by = re.search(r"\((.*)\)( LEFT-JOIN)?$", step)
    return way[1] == "SCAN" or known_by is None or known_by[1] == "workspace_id=?"


def is_listed(name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in WIDE)


@pytest.fixture(scope="module")
def desks(tmp_path_factory) -> Iterator[list[apsw.Connection]]:
    """Our project is the same in both; in one of them there is ten times as much beside it."""
    opened = []
    for number, size in enumerate((SMALL, CROWDED)):
        path = tmp_path_factory.mktemp("desks") / f"{number}.db"
        migrate(path, None)
        connection = sqlite.connect(path)
        connection.pragma("synchronous", "off")
        seed(connection, size)
        opened.append(connection)
    yield opened
    for connection in opened:
        connection.close()


def work(connection: apsw.Connection, name: str) -> int:
    """Steps of one run, which is taken back."""
    sql = STATEMENTS[name]
    connection.execute("BEGIN")
    connection.pragma("defer_foreign_keys", True)
    try:
        with counted(connection) as steps:
            connection.execute(sql, values(name, sql)).fetchall()
        return sum(steps.values())
    finally:
        connection.execute("ROLLBACK")


@pytest.fixture(scope="module")
def wide(desks) -> dict[str, list[str]]:
    found = {name: wide_steps(desks[1], name) for name in STATEMENTS}
    return {name: steps for name, steps in found.items() if steps}


@pytest.fixture(scope="module")
def grown(desks) -> dict[str, tuple[int, int]]:
    """Statement -> its steps alone and in the crowd, where the crowd makes a difference.

    A plain INSERT looks nothing up but what it refers to, by its key.
    """
    looked = [name for name, sql in STATEMENTS.items() if not sql.lstrip().startswith("INSERT") or "SELECT" in sql]
    found = {name: (work(desks[0], name), work(desks[1], name)) for name in looked}
    return {name: (alone, crowd) for name, (alone, crowd) in found.items() if crowd > alone * MORE_WORK}


def test_every_statement_goes_by_an_index_or_is_listed_with_a_reason(wide):
    assert {name: steps for name, steps in wide.items() if not is_listed(name)} == {}


def test_what_lies_beside_a_project_adds_no_work_or_is_listed_with_a_reason(grown):
    assert {name: steps for name, steps in grown.items() if not is_listed(name)} == {}


def test_nothing_is_listed_without_need(wide, grown):
    assert [pattern for pattern in WIDE if not any(fnmatchcase(name, pattern) for name in {*wide, *grown})] == []


def test_a_search_begins_with_the_words(desks):
    """They are listed as wide, so what they begin with is looked at here: from the texts, each would be looked up."""
    for name in (name for name in STATEMENTS if name.startswith("dialect.SQLITE_SEARCH")):
        plan = desks[1].execute(f"EXPLAIN QUERY PLAN {STATEMENTS[name]}", values(name, STATEMENTS[name])).fetchall()
        assert plan[0][3].startswith("SCAN search_index"), (name, plan)


def test_sqlite_has_no_figures_about_the_data(desks):
    assert not any(name.startswith("sqlite_stat") for name in _tables(desks[1]))


def test_every_reference_has_an_index_or_is_listed_with_a_reason(desks):
    """Whoever deletes a row makes SQLite look for what refers to it, once for each row."""
    missing = set()
    for table in _tables(desks[0]):
        indexes = [_leading(desks[0], row[1]) for row in desks[0].execute(f"PRAGMA index_list({table})").fetchall()]
        for parent, columns in _references(desks[0], table):
            if parent not in NEVER_DELETED and not any(columns == index[: len(columns)] for index in indexes):
                missing.add((table, columns[-1]))
    assert missing == set(UNINDEXED)


def _leading(connection: apsw.Connection, index: str) -> list[str]:
    """Its columns. One that leaves rows out counts only where it leaves out those that refer to nothing."""
    columns = [row[2] for row in connection.execute(f"PRAGMA index_info('{index}')")]
    made_by = [row[0] or "" for row in connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (index,))]
    only = "".join(made_by).partition(" WHERE ")[2]
    return columns if not only or only in [f"{column} IS NOT NULL" for column in columns[:2]] else []


def _references(connection: apsw.Connection, table: str) -> list[tuple[str, list[str]]]:
    keys: dict[int, tuple[str, list[str]]] = {}
    for row in connection.execute(f"PRAGMA foreign_key_list({table})"):
        keys.setdefault(row[0], (row[2], []))[1].append(row[3])
    return list(keys.values())


async def test_nothing_is_run_that_is_not_among_the_statements(tmp_path):
    """In the whole story of tests/answers.py."""
    with recorded() as texts:
        await answers.tell(tmp_path)
    ran = {text for text in texts if not CONTROL.match(text)}
    assert len(ran) > 200
    assert ran - set(STATEMENTS.values()) == {guest_requests.SHARE}


def test_no_statement_is_composed_where_it_is_run():
    """What a transaction is given is a name, and nothing that has a transaction in its hands holds SQL: so there is no
    statement but the constants of store/, which are all walked above."""
    composed, holding = [], []
    for path in SOURCES.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        composed += [f"{path}: {ast.unparse(node)}" for node in nodes if _runs_other_than_a_name(node, path)]
        functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
        holding += [f"{path}: {node.name}" for node in functions if _holds_sql(node)]
    assert composed == []
    assert holding == []


def _runs_other_than_a_name(node: ast.AST, path: Path) -> bool:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
        return False
    if node.func.attr not in ("one", "all", "run", "lock") or ast.unparse(node.func.value).split(".")[-1] != "tx":
        return False
    return SOURCES / "store" not in path.parents or not isinstance(
        node.args[0], ast.Name | ast.Attribute | ast.Subscript
    )


def _holds_sql(node: ast.FunctionDef) -> bool:
    if "tx" not in [argument.arg for argument in node.args.args]:
        return False
    body = node.body[1:] if ast.get_docstring(node) else node.body
    texts = [part.value for line in body for part in ast.walk(line) if isinstance(part, ast.Constant)]
    return any(isinstance(text, str) and SQL_WORD.search(text) for text in texts)
