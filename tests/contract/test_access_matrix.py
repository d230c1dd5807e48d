"""Who may do what: every operation x every role x every set of scopes x own, shared, foreign and missing objects.

What is expected comes from the operation itself (its scope and role) and from the few tables below. They name whole
classes, so a new operation is covered by being registered; one that takes an id of something that no table knows
fails. The routes have their own matrix, in test_route_matrix.py.
"""

import asyncio
import itertools
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import pytest

from pendesk.domain.access import BUILDING_SCOPES, TOKEN_SCOPES, TOOL_SETS, Actor, Role, Scope, has_scope
from pendesk.domain.errors import (
    HeldByAnother,
    MissingScope,
    NotFound,
    NotParticipant,
    Refusal,
    RoleForbids,
    Unauthenticated,
)
from pendesk.ids import new_id
from pendesk.operations.dispatch import Dispatcher, Store
from pendesk.operations.operation import AnyOperation, Kind, encode_json
from pendesk.operations.registry import OPERATIONS
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.postgres import PostgresStore
from pendesk.store.engine.sqlite import SqliteStore
from pendesk.transports.authenticate import authenticate_bearer_token
from tests.callers import find_session, start_session
from tests.contract.shapes import NOUN_OF_FIELD, Field, bare, example, fields, put
from tests.contract.test_bad_input import UUID, Rehearsal, furnish
from tests.desk import HandClock, TestDesk
from tests.github_site import place_token
from tests.workbench import join_next_door

FOREIGN = "Foreignword"
BY_NAME = {operation.name: operation for operation in OPERATIONS}
NAMES = sorted(BY_NAME)
# Each scope alone, all but one, and the sets that people choose from.
SCOPE_SETS = {
    *(frozenset(chosen) for size in (1, 4) for chosen in itertools.combinations(sorted(TOKEN_SCOPES), size)),
    *(tool_set.scopes for tool_set in TOOL_SETS.values()),
}

# Operations whose own rule asks for more than their role: about whom, or what for, decides who may. The lowest role
# that is let through with the example, which is about an owner of the workspace.
NO_ROLE = 5
OWN_RULE: dict[str, int] = {
    "cancel_message": Role.ADMIN,  # it is the maker's
    "change_role": Role.OWNER,
    "delete_comment": Role.ADMIN,  # it is the maker's
    "preview_removal": Role.OWNER,
    "remove_member": Role.OWNER,
    "update_comment": NO_ROLE,  # it is its author's alone
}
# What belongs to one person: for others it is not there, except for those of that role or above.
PERSONAL = {"agent": Role.ADMIN, "token": Role.ADMIN, "grant": Role.ADMIN, "session": None}
# What only participants of a spec may do with it, and what the others are told.
PARTICIPANTS_ONLY = {
    "claim_action": NotParticipant,
    "get_action_brief": NotFound,
    "get_spec": NotFound,
}


# What only the holder of an action's claim may do; the example's action is held by its maker.
HOLDER_ONLY = {
    "answer_clarification",
    "release_action",
    "report_commit",
    "report_test_result",
    "request_clarification",
    "submit_for_review",
    "update_progress",
    "upload_test_report",
}
# The same for agents; a person who is signed in may do it to every action.
HOLDER_OR_PERSON = {"attach_evidence", "push_change"}
# Writes of agents that neither table decides: what is in review may be handed in again by its submitter.
SUBMITTER_ONLY = {"resubmit_for_review"}
# Where the example made from the types alone does not get as far as the objects.
FILLED = {
    "create_user": {"email": "eve@example.com"},
    "report_commit": {"sha": "a" * 40},
    "upload_test_report": {"content": '<testsuite name="a"><testcase name="b"/></testsuite>'},
}


# What a viewer may write: credentials of their own, and that a brief or news were seen.
# get_next_task checks for itself who may take.
READS_THAT_NOTE = {"answer_session_event", "get_action_brief", "get_next_task"}
OWN_AFFAIRS = {
    *READS_THAT_NOTE,
    "create_sign_in_link",
    "create_token",
    "mark_mention_read",
    "mark_watched_read",
    "rename_user",
    "revoke_grant",
    "revoke_session",
    "revoke_token",
    "set_file_viewed",
    "set_watch",
    "set_password",
}
# GitHub, once its signature is good, and whoever has the link of a share: each has a scope that nobody else has.
OUTSIDE: dict[Scope, Any] = {Scope.WEBHOOK: "webhook", Scope.GUEST: "share"}
# What a guest may write: a message, which waits until someone takes it in.
BY_GUESTS = {"leave_item"}
# Never by a token: an agent could otherwise approve its own work, or let itself and others in.
BY_ADMINS = {
    "change_role",
    "create_user",
    "delete_project",
    "invite_member",
    "list_invites",
    "preview_removal",
    "remove_github_token",
    "remove_github_webhook",
    "remove_member",
    "rename_workspace",
    "revoke_invite",
    "set_github_token",
    "set_github_webhook",
    "set_participation",
    "create_webhook",
    "list_webhooks",
    "update_webhook",
    "remove_webhook",
    "test_webhook",
    "list_webhook_deliveries",
    "redeliver_webhook",
}
BY_PEOPLE = {
    *BY_ADMINS,
    *(OWN_AFFAIRS - READS_THAT_NOTE),
    "answer_question",
    "cancel_message",
    "delete_action",
    "delete_comment",
    "update_comment",
    "delete_document",
    "delete_goal",
    "delete_note",
    "delete_plan",
    "delete_saved_view",
    "delete_spec",
    "create_share",
    "create_saved_view",
    "export_project",
    "get_saved_view",
    "list_saved_views",
    "update_saved_view",
    "get_integrations",
    "list_grants",
    "pause_session",
    "resume_session",
    "stop_session",
    "list_sessions",
    "list_tokens",
    "release_claim",
    "release_dependents",
    "remove_picture",
    "accept_deviations",
    "review_action",
    "revoke_share",
    "send_message",
    "set_project_activity",
}


class Told(NamedTuple):
    """What a caller is told, without the ids in it."""

    kind: type[Refusal] | None
    code: str
    words: str


class Scene:
    """A furnished workspace with one person of each role, another one next dispatcher, and somebody who is in both."""

    def __init__(self, runner: asyncio.Runner, store: Store, clock: HandClock) -> None:
        self.runner = runner
        self.desk = TestDesk(store, clock)
        self.next_door = TestDesk(store, clock)
        self.maker, self.own = runner.run(furnish(self.desk, "Homely"))
        self.stranger, self.foreign = runner.run(furnish(self.next_door, FOREIGN))
        self.dispatcher = Dispatcher(Rehearsal(store), OPERATIONS, self.desk.installation)
        self.people = {role: runner.run(self.desk.person(f"{role.label}", role)) for role in Role}
        self.guest = runner.run(self.desk.person("Guest", Role.MEMBER))
        self._do(self.maker, "add_participant", spec_id=self.own["spec"], user_id=self.guest.user_id)
        hooked = {"repository_url": "https://github.com/example/desk"}
        for do, ids in ((partial(self._do, self.maker), self.own), (self.next_door_do, self.foreign)):
            do("update_project", project_id=ids["project"], **hooked)
            do("set_github_webhook", project_id=ids["project"])
        runner.run(place_token(self.desk, self.own["project"], self.maker.user_id))
        runner.run(place_token(self.next_door, self.foreign["project"], self.stranger.user_id))
        self.sessions = {role: self._session(person) for role, person in self.people.items()}
        self.tokens = {
            (role, scopes): self._token(person, scopes) for role, person in self.people.items() for scopes in SCOPE_SETS
        }
        made = self._do(self.maker, "create_user", name="Both", email=f"both-{self.desk.workspace}@example.com")
        both = self.people[Role.OWNER]._replace(user_id=made["userId"])
        runner.run(join_next_door(self.next_door, self.stranger, both))
        self.both = self._session(both, made_by=self.maker)

    def _do(self, actor: Actor, name: str, /, **arguments: Any) -> dict[str, Any]:
        return self.runner.run(self.desk.call(actor, name, **arguments))

    def next_door_do(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        return self.runner.run(self.next_door.call(self.stranger, name, **arguments))

    def _session(self, person: Actor, made_by: Actor | None = None) -> Actor:
        link = self._do(made_by or person, "create_sign_in_link", user_pid=person.user_id)
        code = link["url"].partition("code=")[2]
        secret = self.runner.run(start_session(self.desk.dispatcher, code))
        actor = self.runner.run(find_session(self.desk.dispatcher, secret or ""))
        assert actor is not None
        return actor

    def _token(self, person: Actor, scopes: frozenset[Scope]) -> Actor:
        made = self._do(person, "create_token", name="x", scopes=sorted(scopes))
        return self.runner.run(authenticate_bearer_token(self.desk.dispatcher, f"Bearer {made['token']}", "mcp"))

    def ask(self, actor: Actor, name: str, arguments: dict[str, Any], sent: str = "") -> Told:
        """Every write is undone. A fault goes on up and fails the test."""
        try:
            answer = encode_json(self.runner.run(self.dispatcher.call(actor, name, arguments))).decode()
        except Refusal as refusal:
            words = f"{refusal.message} {refusal.details}"
            told = Told(type(refusal), refusal.code, words)
        else:
            told = Told(None, "", answer)
        assert FOREIGN.lower() not in told.words.lower(), told
        return told._replace(words=UUID.sub("(id)", told.words.replace(sent, "(sent)") if sent else told.words))

    def callers(self, operation: AnyOperation) -> Iterator[Actor]:
        """Who has the scope, in each role: a person, an agent where a token can have it, or those outside."""
        for role in Role:
            if operation.scope in OUTSIDE:
                yield self.sessions[role]._replace(scopes=frozenset({operation.scope}), via=OUTSIDE[operation.scope])
            else:
                yield self.sessions[role]
            if operation.scope in (*TOKEN_SCOPES, Scope.ANY):
                yield self.tokens[role, TOKEN_SCOPES]


@pytest.fixture(scope="module")
def scenes(tmp_path_factory, postgres) -> Iterator[dict[str, Scene]]:
    clock = HandClock()
    path, url = tmp_path_factory.mktemp("matrix") / "pendesk.db", postgres.create_database("access_matrix")
    migrate(path, None)
    migrate(None, url)
    with asyncio.Runner() as runner:
        stores: list[Store] = [SqliteStore(path, clock), PostgresStore(url, clock, connections=2)]
        yield {store.engine: Scene(runner, store, clock) for store in stores}
        for store in stores:
            runner.run(store.close())


@pytest.fixture
def scene(request, scenes) -> Scene:
    """SQLite unless the test's parameter says otherwise."""
    made: Scene = scenes[getattr(request, "param", "sqlite")]
    return made


@pytest.fixture
def operation(request) -> AnyOperation:
    return BY_NAME[request.param]


# Every operation; on PostgreSQL a seventh of them, as the decision is made before any store is asked.
every_operation = pytest.mark.parametrize(
    ("scene", "operation"),
    [("sqlite", name) for name in NAMES] + [("postgres", name) for name in NAMES[::7]],
    indirect=True,
)


@every_operation
def test_scope_and_role_decide_and_nothing_else(scene, operation):
    asked = asking(operation, scene.own)
    cells = [(role, scopes, scene.tokens[role, scopes]) for role in Role for scopes in SCOPE_SETS]
    cells += [(role, scene.sessions[role].scopes, scene.sessions[role]) for role in Role]
    for scope, dispatcher in OUTSIDE.items():
        own = frozenset({scope})
        cells += [(role, own, scene.sessions[role]._replace(scopes=own, via=dispatcher)) for role in Role]
    for role, scopes, actor in cells:
        told = scene.ask(actor, operation.name, asked)
        where = (operation.name, role, sorted(scopes), told)
        if not has_scope(actor, operation.scope):
            assert told.kind is MissingScope, where
            assert operation.scope in told.words, where
        elif role < max(operation.role, OWN_RULE.get(operation.name, operation.role)):
            assert told.kind is RoleForbids, where
        else:
            assert told.kind not in (Unauthenticated, MissingScope, RoleForbids), where


@every_operation
def test_nobody_acts_for_their_better(scene, operation):
    """Where another member may be named, those below an owner are refused what is the owner's own."""
    for field in named(operation):
        if operation.scope is not Scope.PERSON or field.name != "user_pid":
            continue
        asked = put(asking(operation, scene.own, field), field.path, scene.maker.user_id)
        for role, actor in scene.sessions.items():
            told = scene.ask(actor, operation.name, asked)
            assert (told.kind is RoleForbids) is (role < Role.OWNER), (operation.name, role, told)


def asking(operation: AnyOperation, ids: dict[str, str], field: Field | None = None) -> dict[str, Any]:
    return {**example(operation, ids, field), **FILLED.get(operation.name, {})}


def named(operation: AnyOperation) -> list[Field]:
    return [field for field in fields(operation) if field.noun is not None]


@every_operation
def test_every_id_has_a_sample_here_and_next_door(scene, operation):
    for field in fields(operation):
        kind, _ = bare(field.type)
        is_text = type(kind).__name__ == "StrType"
        looks_like_one = field.name.endswith(("_id", "_pid", "_ids", "Id")) or getattr(kind, "max_length", 0) == 64
        if is_text and looks_like_one and field.name != "key":
            assert field.name in NOUN_OF_FIELD, f"say in shapes.py what {field.name} of {operation.name} names"
            noun = NOUN_OF_FIELD[field.name]
            assert not noun or (noun in scene.own and noun in scene.foreign), f"furnish one {noun}"


@every_operation
def test_what_is_next_door_is_as_absent_as_what_nobody_has(scene, operation):
    for field in named(operation):
        made, foreign, missing = asking(operation, scene.own, field), scene.foreign[field.noun], new_id()
        for actor in (*scene.callers(operation), with_scope(scene.both, operation)):
            about_foreign = scene.ask(actor, operation.name, put(made, field.path, foreign), foreign)
            about_missing = scene.ask(actor, operation.name, put(made, field.path, missing), missing)
            assert about_foreign == about_missing, (operation.name, field.path, actor.role)


@every_operation
def test_whoever_is_next_door_finds_nothing_of_ours(scene, operation):
    """The same the other way round: our ids in the hands of another workspace's owner."""
    actor = with_scope(scene.stranger, operation)
    for field in named(operation):
        made, ours, missing = asking(operation, scene.foreign, field), scene.own[field.noun], new_id()
        told: list[Any] = []
        for ident in (ours, missing):
            try:
                answer = encode_json(
                    scene.runner.run(scene.dispatcher.call(actor, operation.name, put(made, field.path, ident)))
                )
                told.append(UUID.sub("(id)", answer.decode()))
            except Refusal as refusal:
                told.append((type(refusal), refusal.code, refusal.message.replace(ident, "(sent)")))
        assert told[0] == told[1], (operation.name, field.path)
        assert "homely" not in str(told).lower()


@every_operation
def test_the_own_object_is_there(scene, operation):
    """Else the tests above would show nothing: what is refused there is refused because it is another's."""
    for field in named(operation):
        told = scene.ask(
            with_scope(scene.maker, operation),
            operation.name,
            asking(operation, scene.own, field),
            scene.own[field.noun],
        )
        assert told.kind is not NotFound, (operation.name, field.path, told)


@every_operation
def test_what_is_one_persons_is_not_there_for_others(scene, operation):
    for field in named(operation):
        lowest = PERSONAL.get(field.noun or "", Role.VIEWER)
        if field.noun not in PERSONAL:
            continue
        made, theirs, missing = asking(operation, scene.own, field), scene.own[field.noun], new_id()
        for role, actor in scene.sessions.items():
            about_theirs = scene.ask(actor, operation.name, put(made, field.path, theirs), theirs)
            about_missing = scene.ask(actor, operation.name, put(made, field.path, missing), missing)
            hidden = lowest is None or role < lowest
            assert (about_theirs == about_missing) is hidden, (operation.name, role, about_theirs)


@pytest.mark.parametrize("operation", sorted(PARTICIPANTS_ONLY), indirect=True)
def test_a_spec_is_built_by_its_participants(scene, operation):
    ids = {**scene.own, "action": scene.own["other action"]}
    builder = scene.sessions[Role.MEMBER]._replace(scopes=BUILDING_SCOPES)
    outsider = scene.ask(builder, operation.name, asking(operation, ids))
    assert outsider.kind is PARTICIPANTS_ONLY[operation.name]
    assert scene.ask(scene.guest, operation.name, asking(operation, ids)).kind is None


@pytest.mark.parametrize("operation", sorted(HOLDER_ONLY), indirect=True)
def test_what_another_holds_is_theirs(scene, operation):
    for actor in (scene.guest, *scene.sessions.values()):
        if actor.role >= operation.role:
            told = scene.ask(actor, operation.name, asking(operation, scene.own))
            assert told.kind is HeldByAnother, (actor.role, told)
    assert scene.ask(scene.maker, operation.name, asking(operation, scene.own)).kind is not HeldByAnother


@pytest.mark.parametrize("operation", sorted(HOLDER_OR_PERSON), indirect=True)
def test_what_another_holds_is_theirs_and_for_people(scene, operation):
    for actor in (scene.guest, *scene.sessions.values()):
        if actor.role >= operation.role:
            by_token = actor._replace(scopes=BUILDING_SCOPES)
            assert scene.ask(by_token, operation.name, asking(operation, scene.own)).kind is HeldByAnother
            assert scene.ask(actor, operation.name, asking(operation, scene.own)).kind is not HeldByAnother


def test_what_protects_is_not_declared_too_low():
    """The cells above follow what an operation says of itself; this is what it must not say."""
    for operation in OPERATIONS:
        writes = operation.kind in (Kind.WRITE, Kind.LONG_WRITE)
        if writes and operation.role is Role.VIEWER:
            assert operation.name in OWN_AFFAIRS | BY_GUESTS, f"a viewer may {operation.name}"
        if writes and operation.scope in (Scope.SPECS_READ, Scope.DESK_READ):
            assert operation.name in READS_THAT_NOTE, f"{operation.name} writes with a scope for reading"
        if operation.name in BY_PEOPLE:
            assert operation.scope is Scope.PERSON, f"an agent may {operation.name}"
        if operation.name in BY_ADMINS:
            assert operation.role >= Role.ADMIN, f"a member may {operation.name}"
        if operation.name in BY_GUESTS:
            assert operation.scope is Scope.GUEST, f"somebody else may {operation.name}"
    assert set(BY_NAME) >= OWN_AFFAIRS | READS_THAT_NOTE | BY_PEOPLE | BY_ADMINS | BY_GUESTS


def test_the_tables_name_operations_that_exist_and_every_write_of_agents():
    assert set(OWN_RULE) | set(PARTICIPANTS_ONLY) | set(FILLED) <= set(BY_NAME)
    decided = HOLDER_ONLY | HOLDER_OR_PERSON | SUBMITTER_ONLY | set(PARTICIPANTS_ONLY)
    for operation in OPERATIONS:
        if operation.scope is Scope.BUILDS_WRITE:
            assert operation.name in decided, f"say in a table here who may {operation.name}"


def with_scope(actor: Actor, operation: AnyOperation) -> Actor:
    return actor._replace(scopes=actor.scopes | {operation.scope})
