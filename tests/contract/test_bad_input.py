"""Whatever is sent to whichever operation: a refusal that helps, never a fault, and nothing is written.

Made from OPERATIONS, so that a new operation is covered the moment it is registered; on both stores, which must
decide alike.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField, NotFound, Refusal
from pendesk.domain.oauth import Grant
from pendesk.domain.project import Attachment
from pendesk.ids import new_id
from pendesk.operations.dispatch import Dispatcher, Store
from pendesk.operations.operation import A, M, R, SecretOperation, ServerOperation, encode_json
from pendesk.operations.registry import OPERATIONS
from pendesk.store import attachments, criteria, grants, sign_in
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from tests.contract.shapes import (
    NO_OBJECT,
    NOUN_OF_FIELD,
    TEXTS,
    Field,
    bare,
    example,
    fields,
    put,
    spoiled_texts,
    without,
    wrong_values,
)
from tests.desk import HandClock, TestDesk
from tests.diffs import modified, packed, push
from tests.guest_requests import guest_item
from tests.other_desk import place_picture
from tests.workbench import published_spec

FOREIGN = "Foreignword"
MESSAGE_CHARS = 1_000
NAMES = [operation.name for operation in OPERATIONS]
BY_NAME = {operation.name: operation for operation in OPERATIONS}
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MALFORMED = [
    "not an id",
    "PEN-0",
    "PEN--1",
    "-1",
    "0",
    "00000000-0000-0000-0000-00000000000",
    "00000000-0000-0000-0000-00000000000g",
    "00000000-0000-0000-0000-000000000000",
    "%00",
    "' OR 1=1 --",
    "../../etc/passwd",
    "%s%n",
    "\u202e\U000e0041\u200b",
    "\u0130\u0131\u017f-1",
]


class Undone(Exception):
    """Ends a rehearsal: what it wrote is undone."""


class Rehearsal:
    """A store on which every write is undone after it has given its answer."""

    engine = "rehearsal"

    def __init__(self, store: Store) -> None:
        self._store = store
        self.read = store.read
        self.look_up = store.look_up
        self.long_read, self.heavy_read = store.long_read, store.heavy_read
        self.metric_gauges = store.metric_gauges
        self.recent_failure_reason = store.recent_failure_reason
        self.on_commit = store.on_commit

    async def write(self, workspace: str, work: Callable[[Any], Any]) -> Any:
        answers: list[Any] = []

        def undone(tx: Any) -> None:
            answers.append(work(tx))
            raise Undone

        try:
            await self._store.write(workspace, undone)
        except Undone:
            return answers[-1]

    async def long_write(self, workspace: str, work: Callable[[Any], Any]) -> Any:
        return await self.write(workspace, work)

    async def close(self) -> None: ...

    async def look_for_damage(self, *, full: bool) -> str:
        return ""

    def known_damage(self) -> str:
        return ""


class RehearsalDispatcher(Dispatcher):
    """Undoes what an actor's call wrote. Sign-ins and the server's own work are real, so that credentials are."""

    def __init__(self, real: Dispatcher) -> None:
        super().__init__(Rehearsal(real.store), OPERATIONS, real.installation)
        self.real = real

    async def call_by_secret(self, operation: SecretOperation[A, M, R], args: A) -> R:
        return await self.real.call_by_secret(operation, args)

    async def call_as_server(self, operation: ServerOperation[A, R], args: A) -> R:
        return await self.real.call_as_server(operation, args)


class Stage:
    """One engine with two workspaces, each with one of every noun. The caller is an owner of the first."""

    def __init__(self, runner: asyncio.Runner, store: Store, clock: HandClock) -> None:
        self.runner = runner
        self.store = store
        self.desk = TestDesk(store, clock)
        self.caller, self.own = runner.run(furnish(self.desk, "Homely"))
        _, self.foreign = runner.run(furnish(TestDesk(store, clock), FOREIGN))
        self.rehearsal = Dispatcher(Rehearsal(store), OPERATIONS, self.desk.installation)

    def call(self, name: str, arguments: Any, *, rehearse: bool = False) -> Any:
        """The answer's JSON, or the refusal. Anything else is a fault and goes on up."""
        dispatcher = self.rehearsal if rehearse else self.desk.dispatcher
        try:
            outcome: Any = encode_json(self.runner.run(dispatcher.call(self.caller, name, arguments))).decode()
        except Refusal as refused:
            outcome = refused
        length = len(outcome.message) if isinstance(outcome, Refusal) else 0
        assert length <= MESSAGE_CHARS, f"a message of {length} characters"
        return outcome

    def fingerprint(self) -> str:
        """A hash of every row of every table."""
        hashed = {"sqlite": _sqlite_rows, "postgres": _postgres_rows}[self.store.engine]
        return self.runner.run(self.store.read(self.desk.workspace, hashed))


def _sqlite_rows(tx: Any) -> str:
    found = hashlib.sha256()
    for (table,) in tx.all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"):
        for row in tx.all(f"SELECT * FROM {table} ORDER BY 1, 2"):
            found.update(f"{table}{row}".encode())
    return found.hexdigest()


def _postgres_rows(tx: Any) -> str:
    """All tables in one statement."""
    tables = [row[0] for row in tx.all("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
    hashes = [
        f"SELECT '{table}' AS name, md5(string_agg(t::text, '' ORDER BY t::text)) FROM {table} t" for table in tables
    ]
    return str(tx.all(" UNION ALL ".join(hashes) + " ORDER BY name"))


async def furnish(desk: TestDesk, word: str) -> tuple[Any, dict[str, str]]:
    """One of everything, with the word in every text."""
    await desk.open(word)
    owner = await desk.person(f"{word}Owner", Role.OWNER, frozenset(Scope))
    work = await published_spec(desk, owner, actions=3, criteria=2)
    project = {"project_id": work.project_id}
    goal = await desk.call(owner, "create_goal", title=word, **project)
    document = await desk.call(owner, "create_document", title=word, body=word, **project)
    note = await desk.call(owner, "create_note", title=word, body=word, **project)
    draft = await desk.call(owner, "draft_spec", title=word, summary=word, **project)
    view = await desk.call(owner, "create_saved_view", name=word, query=f"area={word}", shared=True, **project)
    comment = await desk.call(owner, "add_comment", document_id=document["pid"], body=word, passage=word)
    run = await desk.call(owner, "start_agent_run", label=word, model=word, **project)
    submission = await guest_item(desk, work.project_id, word, word)
    share = await desk.call(owner, "create_share", takes_items=True, **project)
    picture = await place_picture(desk, owner, word)
    token = await desk.call(owner, "create_token", name=word)
    hook = await desk.call(owner, "create_webhook", url=f"https://{word.lower()}.example/", **project)
    await desk.call(owner, "test_webhook", webhook_id=hook["webhook"]["webhookId"])
    invite = await desk.call(owner, "invite_member", email=f"{word}-{desk.workspace}@example.com")
    grant = Grant(new_id(), owner.user_id, "penling-mcp", word, "specs.read", word, 0, 0, 2**52, None)
    await desk.store.write(desk.workspace, lambda tx: grants.add(tx, grant))
    await desk.store.write(
        desk.workspace, lambda tx: sign_in.add_session(tx, new_id(), owner.user_id, 2**52, browser=word)
    )
    session = (await desk.call(owner, "list_sessions"))["sessions"][0]
    first, second, third = work.actions
    edge = await desk.call(
        owner, "create_edge", from_task_id=second["pid"], to_task_id=third["pid"], label="clarifies", **project
    )
    # The third action has been sent back once and holds the review's item; the first is at work.
    handed = {"action_pid": third["pid"], "pr_url": "https://example.com/1", "summary": word}
    await desk.call(owner, "claim_action", action_pid=third["pid"])
    await desk.call(owner, "submit_for_review", **handed)
    items = [{"text": word}]
    sent_back = {"action_pid": third["pid"], "verdict": "changes_requested", "summary": word, "items": items}
    await desk.call(owner, "review_action", **sent_back)
    brief = await desk.call(owner, "get_action_brief", action_pid=third["pid"])
    claim = await desk.call(owner, "claim_action", action_pid=first["pid"], agent_model=word)
    await push(desk, owner, first["pid"], packed(modified(TEXTS[0], added=word)))
    question = await desk.call(owner, "request_clarification", action_pid=first["pid"], question=word)
    file = Attachment(
        new_id(), work.project_id, work.spec_id, word, "text/plain", 1, "0" * 64, new_id(), owner.user_id, 0, None
    )
    await desk.store.write(desk.workspace, lambda tx: attachments.add(tx, file))
    # An agent of the owner's, which has read a brief.
    await desk.call(owner._replace(token_id=token["tokenId"]), "get_action_brief", action_pid=second["pid"])
    (agent,) = [row for row in (await desk.call(owner, "list_agents"))["agents"] if row["pid"]]
    message = await desk.call(owner, "send_message", action_pid=second["pid"], text=word)
    known = await desk.store.read(desk.workspace, lambda tx: criteria.of_action(tx, first["pid"]))
    return owner, {
        "action": first["pid"],
        "agent": agent["pid"],
        "agent session": agent["sessions"][0]["pid"],
        "other action": second["pid"],
        "attachment": file.id,
        "claim": claim["claim"]["id"],
        "clarification": question["pid"],
        "comment": comment["pid"],
        "criterion": known[0].id,
        "document": document["pid"],
        "draft": draft["pid"],
        "edge": edge["pid"],
        "goal": goal["pid"],
        "grant": grant.id,
        "invite": invite["inviteId"],
        "item": brief["review"]["items"][0]["id"],
        "message": message["pid"],
        "note": note["pid"],
        "picture source": picture,
        "plan": work.plan_id,
        "project": work.project_id,
        "run": run["pid"],
        "saved view": view["pid"],
        "session": session["sessionId"],
        "share": share["share"]["shareId"],
        "share secret": share["url"].rpartition("/")[2],
        "spec": work.spec_id,
        "submission": submission,
        "token": token["tokenId"],
        "user": owner.user_id,
        "webhook": hook["webhook"]["webhookId"],
    }


@pytest.fixture(scope="module")
def stages(postgres, tmp_path_factory) -> Iterator[list[Stage]]:
    path = tmp_path_factory.mktemp("bad_input") / "pendesk.db"
    url = postgres.create_database("bad_input")
    migrate(path, None)
    migrate(None, url)
    clock = HandClock()
    with asyncio.Runner() as runner:
        stores: list[Store] = [SqliteStore(path, clock), PostgresStore(url, clock, connections=2)]
        yield [Stage(runner, store, clock) for store in stores]
        for store in stores:
            runner.run(store.close())


def told(outcome: Any, stage: Stage) -> Any:
    """An outcome without the ids in it, to be compared between stores."""
    if not isinstance(outcome, Refusal):
        return "ok"
    return type(outcome), outcome.code, outcome.details.get("field"), UUID.sub("(id)", outcome.message)


def refused_alike(stages: list[Stage], name: str, label: str, made: Callable[..., Any], *args: Any) -> Refusal:
    """Both stores refuse what `made(operation, stage, *args)` sends, for the same reason."""
    outcomes = [stage.call(name, made(BY_NAME[name], stage, *args)) for stage in stages]
    assert all(isinstance(outcome, Refusal) for outcome in outcomes), f"{name} accepted {label}: {outcomes}"
    assert told(outcomes[0], stages[0]) == told(outcomes[1], stages[1]), label
    refusal: Refusal = outcomes[0]
    return refusal


def names_field(refusal: Refusal, field: Field) -> bool:
    return isinstance(refusal, BadField) and field.name in refusal.details["field"]


def as_json(arguments: dict[str, Any]) -> bytes:
    return json.dumps(arguments).encode()


@pytest.fixture(params=NAMES)
def name(request, stages) -> Iterator[str]:
    """Each operation; after the test no row of any table has changed."""
    before = [stage.fingerprint() for stage in stages]
    yield request.param
    assert [stage.fingerprint() for stage in stages] == before, f"{request.param} wrote although it refused"


# What is sent: an example for the stage, spoiled in one place.


def verbatim(operation: Any, stage: Stage, raw: bytes) -> bytes:
    return raw


def lacking(operation: Any, stage: Stage, field: Field) -> bytes:
    return as_json(without(example(operation, stage.own, field), field.path))


def with_unknown(operation: Any, stage: Stage, key: str) -> bytes:
    return as_json({**example(operation, stage.own), key: 1})


def with_value(operation: Any, stage: Stage, field: Field, value: Any) -> bytes:
    return as_json(put(example(operation, stage.own, field), field.path, value))


def with_json(operation: Any, stage: Stage, field: Field, value: bytes) -> bytes:
    return with_value(operation, stage, field, "(here)").replace(b'"(here)"', value)


def twice(operation: Any, stage: Stage, field: Field, disguised: bool) -> bytes:
    """{"a": 1} -> {"a": 1, "a" : 1}; disguised, the second name is written in escapes, which mean the same name."""
    here: Any = example(operation, stage.own, field)
    for part in field.path:
        here = here[part]
    value = json.dumps(here).encode()
    name = "".join(f"\\u{ord(letter):04x}" for letter in field.name) if disguised else field.name
    return with_json(operation, stage, field, value + f', "{name}" : '.encode() + value)


def with_object(operation: Any, stage: Stage, field: Field, value: Any) -> dict[str, Any]:
    """Not JSON, but a Python value as it is."""
    made = example(operation, stage.own, field)
    here: Any = made
    for part in field.path[:-1]:
        here = here[part]
    here[field.path[-1]] = value
    return made


def test_what_is_no_json_object_is_refused(stages, name):
    for label, raw in NO_OBJECT:
        refusal = refused_alike(stages, name, label, verbatim, raw)
        assert isinstance(refusal, BadField), label


def test_a_missing_field_is_named(stages, name):
    for field in fields(BY_NAME[name]):
        if field.required:
            refusal = refused_alike(stages, name, f"no {field.path}", lacking, field)
            assert names_field(refusal, field), (field.path, refusal)


def test_an_unknown_field_is_named(stages, name):
    for key in ("colour", "workspace", "workspace_id", "user", "__proto__", "", "a.b", "f" * 100_000):
        refusal = refused_alike(stages, name, key[:20], with_unknown, key)
        assert isinstance(refusal, BadField), key[:20]
        assert refusal.details["field"][:20] == key[:20]


def test_a_field_that_is_given_twice_is_named(stages, name):
    for field in fields(BY_NAME[name]):
        for disguised in (False, True):
            if isinstance(field.path[-1], str):
                refusal = refused_alike(stages, name, f"{field.path} twice", twice, field, disguised)
                assert names_field(refusal, field), (field.path, refusal)


def test_a_value_of_the_wrong_type_or_size_is_refused_by_its_field(stages, name):
    for field in fields(BY_NAME[name]):
        for label, value in wrong_values(field):
            refusal = refused_alike(stages, name, f"{label} as {field.path}", with_value, field, value)
            assert names_field(refusal, field), (label, field.path, refusal)


def test_text_that_is_no_text_is_refused(stages, name):
    for field in fields(BY_NAME[name]):
        for label, value in spoiled_texts(field):
            refusal = refused_alike(stages, name, f"{label} as {field.path}", with_json, field, value)
            assert isinstance(refusal, BadField), (label, field.path, refusal)


def test_python_values_that_json_cannot_hold_are_refused(stages, name):
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    for field in fields(BY_NAME[name]):
        for value in ("\ud800", 10**5_000, deep, object(), {"a": object()}, 1j):
            refusal = refused_alike(stages, name, f"{type(value)} as {field.path}", with_object, field, value)
            assert isinstance(refusal, BadField), (field.path, refusal)


def test_every_field_that_takes_an_id_says_what_it_names(name):
    for field in fields(BY_NAME[name]):
        kind, _ = bare(field.type)
        is_id = isinstance(kind, msgspec.inspect.StrType) and kind.max_length == 64
        if is_id and field.name not in ("key",):
            assert field.name in NOUN_OF_FIELD, f"say in shapes.py what {field.name} of {name} names"


def test_a_malformed_id_is_the_same_as_no_id(stages, name):
    operation = BY_NAME[name]
    for field in fields(operation):
        if field.noun is None:
            continue
        for ident in MALFORMED:
            outcomes = [
                stage.call(name, put(example(operation, stage.own, field), field.path, ident), rehearse=True)
                for stage in stages
            ]
            assert told(outcomes[0], stages[0]) == told(outcomes[1], stages[1]), (field.path, ident)


def test_an_id_of_another_workspace_is_the_same_as_one_that_nobody_has(stages, name):
    operation = BY_NAME[name]
    for field in fields(operation):
        if field.noun is None:
            continue
        for noun in sorted({field.noun, "action", "user"}):
            decisions = []
            for stage in stages:
                made = example(operation, stage.own, field)
                foreign, nobodys = stage.foreign[noun], new_id()
                told_foreign = _say(stage, name, put(made, field.path, foreign), foreign)
                told_nobody = _say(stage, name, put(made, field.path, nobodys), nobodys)
                assert told_foreign == told_nobody, (field.path, noun)
                assert FOREIGN.lower() not in str(told_foreign).lower()
                decisions.append(told_nobody[0])
            assert decisions[0] == decisions[1], (field.path, noun)


def _say(stage: Stage, name: str, arguments: dict[str, Any], ident: str) -> Any:
    """Everything a caller is told, with the id that they sent themselves left out."""
    outcome = stage.call(name, arguments, rehearse=True)
    if not isinstance(outcome, Refusal):
        return "ok", re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "(time)", UUID.sub("(id)", outcome))
    if outcome.late_report is None:  # what a former holder sent is kept
        again = stage.call(name, arguments)
        assert told(again, stage) == told(outcome, stage)
    words = f"{outcome.message} {outcome.details}".replace(ident, "(sent)")
    return (type(outcome), outcome.code), UUID.sub("(id)", words)


def test_names_of_another_workspace_lead_nowhere(stages):
    """A key or ref code means what it means in the caller's own workspace."""
    for stage in stages:
        other = stage.runner.run(_foreign_names(stage))
        for operation, arguments in (
            ("get_project", {"project_id": other["key"]}),
            ("claim_action", {"action_pid": other["ref"]}),
        ):
            outcome = stage.call(operation, arguments)
            assert isinstance(outcome, NotFound)
            assert FOREIGN not in outcome.message


async def _foreign_names(stage: Stage) -> dict[str, str]:
    desk = TestDesk(stage.store, stage.desk.clock)
    await desk.open(FOREIGN)
    owner = await desk.person("Zoe", Role.OWNER)
    project = await desk.call(owner, "create_project", name="Zebra Quartz Xylophone")
    task = await desk.call(owner, "create_action", project_id=project["pid"], label=FOREIGN)
    return {"key": project["key"], "ref": task["refCode"]}


def test_an_operation_that_does_not_exist_is_not_found(stages):
    for stage in stages:
        for word in ("no_such_operation", "", "claim_action ", "__init__", "x" * 100_000):
            outcome = stage.call(word, b"{}")
            assert isinstance(outcome, NotFound)


def test_a_rehearsal_leaves_nothing_behind(stages):
    for stage in stages:
        before = stage.fingerprint()
        made = json.loads(stage.call("create_project", {"name": "Rehearsed"}, rehearse=True))
        assert made["name"] == "Rehearsed"
        assert stage.fingerprint() == before
