"""The one dispatcher: scope, role, input, idempotency."""

import asyncio

import pytest

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField, MissingScope, NotFound, RoleForbids, RuleBroken
from tests.refusals import refused
from tests.workbench import published_spec


@pytest.fixture
async def held(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada)
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    return ada, work.actions[0]["pid"]


async def progress(desk, actor, pid, **more):
    return await desk.call(actor, "update_progress", action_pid=pid, status="started", **{"message": "Did it."} | more)


async def events(desk, actor):
    return len((await desk.call(actor, "list_events"))["events"])


async def test_a_missing_scope_is_refused_by_name(desk):
    ada = await desk.person("Ada", scopes=frozenset({Scope.SPECS_READ}))
    with refused(MissingScope) as caught:
        await desk.call(ada, "claim_action", action_pid="PEN-1")
    assert caught.refusal.details == {"scope": "builds.write"}


async def test_a_role_that_is_too_low_is_refused_and_says_which_is_needed(desk):
    vera = await desk.person("Vera", Role.VIEWER)
    with refused(RoleForbids) as caught:
        await desk.call(vera, "claim_action", action_pid="PEN-1")
    assert caught.refusal.details == {"role": "viewer", "needed": "member"}


async def test_an_unknown_operation_is_not_found(desk):
    ada = await desk.person("Ada")
    with refused(NotFound):
        await desk.call(ada, "drop_tables")


@pytest.mark.parametrize(
    ("arguments", "field", "told"),
    [
        (b"{}", "action_pid", "is required"),
        (b'{"action_pid": 5}', "action_pid", "expected text"),
        (b'{"action_pid": "x", "color": "red"}', "color", "is not a field"),
        (b'{"action_pid": ""}', "action_pid", "must not be empty"),
        (b'{"action_pid": "a\\u0000b"}', "action_pid", "control character"),
        (b'{"action_pid": "\\ud800"}', "", "not valid JSON"),
        (b"[]", "", "expected `object`"),
        (b"{", "", "not valid JSON"),
        (b"[" * 100_000, "", ""),
        (b"\xff", "", "not valid JSON"),
    ],
)
async def test_bad_input_is_refused_by_its_field(desk, arguments, field, told):
    ada = await desk.person("Ada")
    with refused(BadField) as caught:
        await desk.dispatcher.call(ada, "claim_action", arguments)
    assert caught.refusal.details["field"] == field
    assert told in caught.refusal.message


async def test_an_escaped_backslash_is_no_control_character(desk, held):
    ada, pid = held
    await progress(desk, ada, pid, message=r"Fixed C:\bin\u0000.txt")


async def test_the_same_key_and_body_give_the_same_answer_once(desk, held):
    ada, pid = held
    first = await progress(desk, ada, pid, idempotency_key="k1")
    before = await events(desk, ada)
    assert await progress(desk, ada, pid, idempotency_key="k1") == first
    assert await events(desk, ada) == before


async def test_the_same_key_with_another_body_is_refused(desk, held):
    ada, pid = held
    await progress(desk, ada, pid, idempotency_key="k1")
    with refused(RuleBroken, "idempotency_key_reused"):
        await progress(desk, ada, pid, idempotency_key="k1", message="Something else.")


async def test_a_refused_call_does_not_use_up_its_key(desk, held):
    ada, pid = held
    await desk.call(ada, "release_action", action_pid=pid)
    with refused(RuleBroken, "not_claimed"):
        await progress(desk, ada, pid, idempotency_key="k1")
    await desk.call(ada, "claim_action", action_pid=pid)
    assert (await progress(desk, ada, pid, idempotency_key="k1"))["status"] == "started"


async def test_another_users_key_is_another_key(desk, held):
    ada, pid = held
    grace = await desk.person("Grace")
    project = await desk.call(grace, "create_project", name="Plain")
    task = await desk.call(grace, "create_action", project_id=project["pid"], label="A task")
    await progress(desk, ada, pid, idempotency_key="k1")
    answer = await desk.call(grace, "claim_action", action_pid=task["pid"], idempotency_key="k1")
    assert answer["claimedBy"] == grace.user_id


async def test_the_same_key_many_times_at_once_has_one_effect(desk, held):
    ada, pid = held
    before = await events(desk, ada)
    answers = await asyncio.gather(*(progress(desk, ada, pid, idempotency_key="k1") for _ in range(20)))
    assert all(answer == answers[0] for answer in answers)
    assert await events(desk, ada) == before + 1
