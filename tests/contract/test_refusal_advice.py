"""What a refusal advises is accepted: every refusal that an agent can meet is brought about, and its advice followed.

The tools that a text names are in the caller's own tools/list, and calling them with the refs that it names succeeds.
"""

import pytest

from pendesk.domain.access import Actor, Scope
from pendesk.domain.errors import MissingScope, NoSuchRevision, RuleBroken
from pendesk.ids import new_id
from pendesk.transports.mcp.messages import ProtocolError
from tests.contract import refusals_of_building, refusals_of_drafting, refusals_of_planning
from tests.contract.refusal_sites import Site, sites_reached_by_tools
from tests.contract.refusal_world import (
    SCOPE_OF_TOOL,
    SUBMITTED,
    Attempt,
    Row,
    World,
    follow_of,
    refusal_places,
    tools_named,
)
from tests.desk import TestDesk
from tests.refusals import refused

__all__ = ["refusal_places"]

ROWS = [*refusals_of_building.ROWS, *refusals_of_planning.ROWS, *refusals_of_drafting.ROWS]
# Refusals that follow from no call alone, each with why there is no row for it.
WITHOUT_A_ROW = {
    Site("domain/access.py:check_permission", "insufficient_scope"): "MCP checks it first: see below",
    Site("domain/access.py:no_longer_member_error", "role_forbids"): "the token of a removed member is refused before",
    Site("operations/admission.py:_shut_out_error", "unauthenticated"): "a sign-in that ended; tools come by tokens",
    Site("domain/ownership.py:check_may_own", "role_forbids"): "the role changes while another server takes its time",
    Site(
        "operations/sharing/outgoing_mirror.py:find_and_lock_publication", "published_anew"
    ): "a race; says call again",
    Site("operations/dispatch.py:_call", "not_found"): "MCP finds the tool first: see below",
    Site("operations/decode_input.py:encode_arguments_as_json", "bad_field"): "MCP sends text, not values",
    Site("operations/decode_input.py:decode_input", "bad_field"): "MCP sends JSON that was decoded before",
    Site("operations/actions/create_action.py:_find_plan_and_lock_project", "bad_field"): "the tools name the project",
    Site("domain/claimable.py:_not_ready_refusal", "not_claimable"): "what is in backlog or scope is not found before",
    Site("domain/prerequisite.py:check_person_releases", "person_decides"): "no tool has release_dependents",
    Site("domain/prerequisite.py:release_dependents", "already_released"): "no tool has release_dependents",
    Site("domain/prerequisite.py:release_dependents", "not_dropped"): "no tool has release_dependents",
    Site("operations/plans/find.py:find_plan", "not_found"): "no tool takes a plan",
    Site("operations/specs/find.py:find_spec", "not_found"): "no tool takes a spec to plan in",
    Site("store/files.py:_raise_unavailable_on_os_error", "unavailable"): "no tool writes files",
    Site("store/files.py:write", "too_large"): "no tool writes files",
    Site("transports/mcp/methods.py:call_tool", "insufficient_scope"): "an HTTP 403: see below",
}
VAGUE = ("list again", "another action", "Pick an action", "pick another")
SENTENCES = 4


def test_every_refusal_that_a_tool_can_give_has_a_row():
    sites = sites_reached_by_tools()
    rows = {row.site for row in ROWS}
    assert sites - rows - set(WITHOUT_A_ROW) == set()
    assert (rows | set(WITHOUT_A_ROW)) - sites == set()


async def bring_about(desk: TestDesk, row: Row) -> tuple[World, Attempt]:
    """The situation, each time in a workspace of its own."""
    world = await World(await TestDesk(desk.store, desk.clock).open()).fill()
    return world, await row.situation(world)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
async def test_what_a_refusal_advises_is_accepted(desk, row, refusal_places):
    world, attempt = await bring_about(desk, row)
    refusal_places.clear()
    answer = await world.tool(attempt)
    assert answer.refused
    assert answer.content["error"]["code"] == row.site.code, answer.message
    assert row.site.place in refusal_places
    message = answer.message
    named = tools_named(message)
    assert [tool for tool in named if SCOPE_OF_TOOL.get(tool) not in attempt.actor.scopes] == [], message
    assert [words for words in VAGUE if words in message] == [], message
    assert message.count(". ") + 1 <= SENTENCES, message
    assert named or row.retry is not None or row.person, f"no next step: {message}"
    assert row.person in message
    await check_least_scopes_suffice(world, attempt)
    for tool in named:
        await check_accepted(desk, row, tool, message)
    if row.retry is not None:
        await check_retry_accepted(desk, row)


async def check_least_scopes_suffice(world: World, attempt: Attempt) -> None:
    """The same call by a token that may call this tool and little else."""
    scope = SCOPE_OF_TOOL[attempt.tool]
    answer = await world.tool(attempt._replace(actor=attempt.actor._replace(scopes=frozenset({scope}))))
    assert answer.refused
    assert [tool for tool in tools_named(answer.message) if SCOPE_OF_TOOL.get(tool) != scope] == [], answer.message


async def check_accepted(desk: TestDesk, row: Row, tool: str, message: str) -> None:
    world, attempt = await bring_about(desk, row)
    text = (await world.tool(attempt)).message
    every = follow_of(row, tool, world, attempt, text)
    assert every, f"nothing to send to {tool}: {message}"
    for number in range(len(every)):
        if number:
            world, attempt = await bring_about(desk, row)
            text = (await world.tool(attempt)).message
        arguments = follow_of(row, tool, world, attempt, text)[number]
        answer = await world.tool(Attempt(attempt.actor, tool, arguments))
        assert not answer.refused, f"{message} -> {tool} {arguments}: {answer.content}"


async def check_retry_accepted(desk: TestDesk, row: Row) -> None:
    world, attempt = await bring_about(desk, row)
    text = (await world.tool(attempt)).message
    assert row.retry is not None
    changes = [row.retry] if isinstance(row.retry, dict) else row.retry(world, attempt, text)
    assert changes, text
    for change in changes:
        arguments = {name: value for name, value in (attempt.arguments | change).items() if value is not None}
        answer = await world.tool(attempt._replace(arguments=arguments))
        assert not answer.refused, f"{text} -> {arguments}: {answer.content}"


# What is named is the caller's to see.


async def refusal_text(world: World, actor: Actor, tool: str, **arguments: str) -> str:
    answer = await world.tool(Attempt(actor, tool, arguments))
    assert answer.refused
    return answer.message


@pytest.fixture
async def world(desk):
    return await World(desk).fill()


async def test_what_is_hidden_is_refused_byte_for_byte_like_what_is_not_there(world):
    """The nearest are only ever out of what the caller sees, so they say nothing about what they asked for."""
    hidden = await world.task("Hidden", status="backlog")
    shown = await world.task("Shown")
    for tool in ("claim_action", "get_action_brief", "release_action"):
        texts = [await refusal_text(world, world.builder, tool, action_pid=ref) for ref in (hidden, "HAR-3")]
        assert texts[0].replace(hidden, "HAR-3") == texts[1]
        assert f"Nearest: {shown}." in texts[0]
    absent = await refusal_text(world, world.outsider, "get_action_brief", action_pid=f"{world.key}-77")
    there = await refusal_text(world, world.outsider, "get_action_brief", action_pid=world.refs[0])
    assert there.replace(world.refs[0], f"{world.key}-77") == absent
    assert world.refs[0] not in absent


async def test_a_question_is_hidden_with_its_action(world):
    ref = await world.task()
    await world.do(world.builder, "claim_action", action_pid=ref)
    question = await world.do(world.builder, "request_clarification", action_pid=ref, question="Which?")
    await world.do(world.builder, "release_action", action_pid=ref)
    await world.do(world.ada, "update_task", task_id=ref, status="backlog")
    absent = new_id()
    texts = [
        await refusal_text(world, world.builder, "answer_clarification", clarification_pid=pid, answer="A.")
        for pid in (question["pid"], absent)
    ]
    assert texts[0].replace(question["pid"], absent) == texts[1]


async def test_a_workspace_names_nothing_of_another(world):
    other = await World(await TestDesk(world.desk.store, world.clock).open()).fill()
    ref = await other.task()
    assert "Nearest" not in await refusal_text(world, world.planner, "get_task", task_id=ref)
    assert "Nearest" not in await refusal_text(world, world.planner, "get_project", project_id=other.plain)
    absent, pid = new_id(), other.pids[0]
    texts = [await refusal_text(world, world.builder, "claim_action", action_pid=sent) for sent in (pid, absent)]
    assert texts[0].replace(pid, absent) == texts[1]


async def test_the_nearest_refs_and_keys_are_named(world):
    text = await refusal_text(world, world.builder, "claim_action", action_pid=f"{world.key}-99")
    assert f"Nearest: {', '.join(reversed(world.refs[2:]))}." in text
    text = await refusal_text(world, world.planner, "get_project", project_id=f"{world.key}S")
    assert f"Nearest: {world.key}." in text


@pytest.mark.parametrize(
    ("agent", "sent", "near"),
    [
        ("builder", "claim_acton", "Nearest: claim_action"),
        ("builder", "create_taks", "There is no tool 'create_taks'. "),
        ("planner", "create_taks", "Nearest: create_task"),
        ("builder", "", "tools/list shows yours"),
    ],
)
async def test_a_tool_that_never_was_is_answered_with_the_nearest_of_the_callers_own(world, agent, sent, near):
    actor = getattr(world, agent)
    with pytest.raises(ProtocolError) as caught:
        await world.tool(Attempt(actor, sent, {}))
    assert near in caught.value.message
    assert [tool for tool in tools_named(caught.value.message) if SCOPE_OF_TOOL[tool] not in actor.scopes] == []


async def test_a_tool_beyond_the_callers_scopes_says_which_scope_it_needs(world):
    with refused(MissingScope, "insufficient_scope", "builds.write", "Ask your user"):
        await world.tool(Attempt(world.planner, "claim_action", {"action_pid": world.refs[0]}))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"action_id": "PEN-1"}, "action_id: is not a field of this operation; leave it out, or use action_pid."),
        ({"zzz": 1, "action_pid": "PEN-1"}, "zzz: is not a field of this operation; leave it out."),
    ],
)
async def test_a_field_that_never_was_is_answered_with_the_nearest(world, arguments, text):
    error = (await world.tool(Attempt(world.builder, "claim_action", arguments))).content["error"]
    assert text in [error["message"], *(f"{fault['field']}: {fault['problem']}" for fault in error.get("faults", []))]


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("pr_url", "pull/1", "must be an http:// or https:// address"),
        ("summary", "  ", "must not be blank."),
    ],
)
async def test_of_several_reasons_only_the_one_is_given(world, field, value, problem):
    arguments = {"action_pid": world.refs[0], **SUBMITTED, field: value}
    text = await refusal_text(world, world.builder, "submit_for_review", **arguments)
    assert text.startswith(f"{field}: {problem}")


async def test_the_next_task_says_how_to_begin_with_the_callers_own_tools(world):
    await world.task("First")
    world.reader = await world.agent(world.ada, frozenset({Scope.DESK_READ}))
    asked = {"project_id": world.plain}
    steps = {
        name: (await world.tool(Attempt(getattr(world, name), "get_next_task", asked))).content.get("next_step", "")
        for name in ("planner", "both", "reader")
    }
    assert {name: tools_named(step) for name, step in steps.items()} == {
        "reader": [],
        "planner": ["update_task"],
        "both": ["update_task"],
    }


async def test_the_next_task_advises_no_claim_that_would_be_refused(world):
    for _ in range(3):
        await world.do(world.builder, "claim_action", action_pid=await world.task())
    answer = await world.tool(Attempt(world.both, "get_next_task", {"project_id": world.key}))
    assert answer.content["task"] is None
    assert "you hold as many as you may: submit or release one" in answer.content["why"]


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("compare_revisions", {"from_revision": 1, "to_revision": 9}),
        ("list_revisions", {"revision": 9}),
        ("restore_revision", {"revision": 9}),
    ],
)
async def test_a_revision_that_never_was_names_the_newest(world, operation, arguments):
    document = await world.do(world.ada, "create_document", project_id=world.key, title="Design", body="One.")
    await world.do(world.ada, "update_document", document_id=document["pid"], body="Two.", expected_revision=1)
    with refused(NoSuchRevision, "not_found", "no revision 9: its newest is 2"):
        await world.do(world.ada, operation, object_id=document["pid"], **arguments)


async def test_an_edit_of_a_revision_that_never_was_names_the_newest(world):
    ref = await world.task()
    arguments = {"task_id": ref, "label": "Another", "expected_revision": 9}
    assert "no revision 9: its newest is 1" in await refusal_text(world, world.planner, "update_task", **arguments)


async def test_an_edge_in_the_way_is_named_to_who_can_remove_it(world):
    first, second = await world.task("First"), await world.task("Second")
    edge = {"project_id": world.plain, "from_task_id": first, "to_task_id": second}
    await world.do(world.ada, "create_edge", **edge)
    reverse = {"project_id": world.plain, "from_task_id": second, "to_task_id": first}
    text = await refusal_text(world, world.planner, "create_edge", **reverse)
    assert f"remove {first} -> {second} first with remove_edge" in text
    await world.do(world.planner, "remove_edge", from_task_id=first, to_task_id=second)
    await world.do(world.planner, "create_edge", **reverse)


async def test_a_person_reads_what_people_can_do(world):
    with refused(RuleBroken, "invalid_transition") as caught:
        await world.do(world.ada, "update_task", task_id=world.refs[0], status="in_progress")
    assert tools_named(caught.refusal.message_for_person) == []
