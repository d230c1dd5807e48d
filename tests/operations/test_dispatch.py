"""The one dispatcher: scope, role, input, idempotency; the steps of a secret, the server's own work."""

import asyncio
import threading

import pytest

from pendesk.domain.access import Role, Scope, server_actor
from pendesk.domain.errors import BadField, HeldByYourOtherSession, MissingScope, NotFound, RoleForbids, RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import SessionStartedData
from pendesk.operations.operation import Answer, Kind, Match, SecretOperation, ServerOperation
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


# Two terminals that choose the same key


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada, actions=3)


async def claim(desk, actor, action):
    return await desk.call(actor, "claim_action", action_pid=action["pid"], idempotency_key="1")


async def test_another_sessions_key_is_another_key(desk, work, terminal):
    first, second = terminal(process="1"), terminal(process="2")
    claimed = await claim(desk, first, work.actions[0])
    with refused(HeldByYourOtherSession):
        await claim(desk, second, work.actions[0])
    own = await claim(desk, second, work.actions[1])  # another body, too
    assert await claim(desk, first, work.actions[0]) == claimed
    assert await claim(desk, second, work.actions[1]) == own
    with refused(RuleBroken, "idempotency_key_reused"):
        await claim(desk, second, work.actions[2])


async def test_a_session_repeats_its_call_after_a_restart(desk, work, terminal):
    """One equal mark is enough; the mark of the process is then another."""
    claimed = await claim(desk, terminal(client_session="a", process="1"), work.actions[0])
    assert await claim(desk, terminal(client_session="a", process="2"), work.actions[0]) == claimed
    assert await claim(desk, terminal(process="2"), work.actions[0]) == claimed


@pytest.mark.parametrize("marks", [{}, {"given": "x"}])
async def test_a_caller_that_nothing_tells_apart_repeats_the_call(desk, work, terminal, marks):
    claimed = await claim(desk, terminal(process="1"), work.actions[0])
    assert await claim(desk, terminal(**marks), work.actions[0]) == claimed


async def test_terminals_without_marks_share_their_keys(desk, work, terminal):
    claimed = await claim(desk, terminal(), work.actions[0])
    assert await claim(desk, terminal(), work.actions[0]) == claimed
    with refused(RuleBroken, "idempotency_key_reused"):
        await claim(desk, terminal(), work.actions[1])


async def test_sessions_that_turn_out_to_be_one_repeat_each_others_calls(desk, work, terminal):
    claimed = await claim(desk, terminal(process="1"), work.actions[0])
    await desk.call(terminal(client_session="a"), "claim_action", action_pid=work.actions[1]["pid"])
    both = terminal(process="1", client_session="a")
    assert await claim(desk, both, work.actions[0]) == claimed
    assert await claim(desk, terminal(client_session="a"), work.actions[0]) == claimed


async def test_the_same_key_of_two_sessions_at_once(desk, work, terminal):
    agents = [terminal(process=str(number % 2)) for number in range(10)]
    answers = await asyncio.gather(
        *(claim(desk, agent, work.actions[number % 2]) for number, agent in enumerate(agents))
    )
    assert {answer["refCode"] for answer in answers[::2]} == {"PEN-1"}
    assert len({answer["claim"]["id"] for answer in answers[1::2]}) == 1


def secret_operation(**steps):
    """An operation of the steps that matter to a test; each notes that it ran."""
    values = {"check": None, "find": None, "verify": None, "run": None, "kind": Kind.WRITE} | steps
    return SecretOperation(name="open", title="Open", description="", input=str, output=str, **values)


async def test_a_secret_is_checked_found_verified_and_used_in_its_workspace(desk):
    steps = []

    def check(installation, args):
        steps.append(("check", installation.public_url, args))

    def find(call, args):
        steps.append(("find", call.tx.workspace, args))
        return Match(desk.workspace, "found")

    async def verify(_installation, args, match):
        steps.append(("verify", match.workspace_id, args))
        return match._replace(value="verified")

    def run(call, args, value):
        steps.append(("run", call.tx.workspace, args))
        return value

    operation = secret_operation(check=check, find=find, verify=verify, run=run)
    assert await desk.dispatcher.call_by_secret(operation, "s") == "verified"
    assert steps == [
        ("check", desk.installation.public_url, "s"),
        ("find", "", "s"),
        ("verify", desk.workspace, "s"),
        ("run", desk.workspace, "s"),
    ]


@pytest.mark.parametrize("last", ["check", "find", "verify"])
async def test_an_answer_ends_the_steps_of_a_secret(desk, last):
    def check(_installation, _args):
        return Answer("check") if last == "check" else None

    def find(_call, _args):
        return Answer("find") if last == "find" else Match(desk.workspace, None)

    async def verify(_installation, _args, _match):
        return Answer("verify")

    def run(_call, _args, _match):
        raise AssertionError

    operation = secret_operation(check=check, find=find, verify=verify, run=run)
    assert await desk.dispatcher.call_by_secret(operation, "") == last


async def test_a_secret_without_a_workspace_is_used_in_none(desk):
    operation = secret_operation(run=lambda call, _args, _match: call.tx.workspace)
    assert await desk.dispatcher.call_by_secret(operation, "") == ""


async def test_what_a_refusal_of_a_secret_wrote_is_saved_if_returned_and_undone_if_raised(desk):
    ada = await desk.person("Ada")

    def work(call, how, _match):
        call.act_as(ada)
        call.record(Event("session.started", ada.user_id, data=SessionStartedData(by="link")))
        refusal = RuleBroken(f"It is {how}.", code=how)
        if how == "raised":
            raise refusal
        return refusal

    operation = secret_operation(find=lambda _call, _args: Match(desk.workspace, None), run=work)
    for how, count in (("raised", 0), ("returned", 1)):
        with refused(RuleBroken, how):
            await desk.dispatcher.call_by_secret(operation, how)
        log = (await desk.call(ada, "list_events"))["events"]
        assert [event["actorId"] for event in log] == [ada.user_id] * count


async def test_a_secret_speaks_for_nobody_until_its_operation_says_for_whom(desk):
    ada = await desk.person("Ada")

    def run(call, _args, _match):
        before = call.actor
        call.act_as(ada)
        return before, call.actor

    operation = secret_operation(find=lambda _call, _args: Match(desk.workspace, None), run=run)
    nobody, actor = await desk.dispatcher.call_by_secret(operation, "")
    assert (nobody.workspace_id, nobody.user_id, nobody.scopes) == (desk.workspace, "", frozenset())
    assert actor == ada


async def test_a_long_write_of_a_secret_goes_on_in_a_thread(desk):
    def run(call, _args, _match):
        call.require_worker_thread()
        return threading.current_thread() is threading.main_thread()

    operation = secret_operation(find=lambda _call, _args: Match(desk.workspace, None), run=run)
    assert await desk.dispatcher.call_by_secret(operation, "") is False


@pytest.mark.parametrize("kind", ["read", "long_read", "write", "long_write"])
async def test_the_server_acts_in_the_workspaces_that_its_operation_names(desk, kind):
    async def run(transactions, workspace):
        return await getattr(transactions, kind)(workspace, lambda call: (call.tx.workspace, call.actor))

    operation = ServerOperation(name="look", title="Look", description="", input=str, output=tuple, run=run)
    for workspace in (desk.workspace, ""):
        assert await desk.dispatcher.call_as_server(operation, workspace) == (workspace, server_actor(workspace))
