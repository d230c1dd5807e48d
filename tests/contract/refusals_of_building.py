"""Every refusal that a building agent can meet, each brought about in a situation of its own."""

import re
from itertools import pairwise
from typing import Any

from pendesk.domain.access import BUILDING_SCOPES, Role
from pendesk.ids import new_id
from tests.contract.refusal_world import (
    PROGRESS,
    SHA,
    SUBMITTED,
    Arguments,
    Attempt,
    Row,
    World,
    adding_to,
)
from tests.desk import MINUTE

ROWS: list[Row] = []
refused_at = adding_to(ROWS)
GUARD = "domain/claim_refusals.py"
HOUR = 60 * MINUTE


async def submitted(world: World, number: int = 0, agent: Any = None) -> str:
    ref: str = world.refs[number]
    await world.do(agent or world.builder, "claim_action", action_pid=ref)
    await world.do(agent or world.builder, "submit_for_review", action_pid=ref, **SUBMITTED)
    return ref


async def approved(world: World, number: int = 0, agent: Any = None) -> str:
    ref = await submitted(world, number, agent)
    verdicts = [{"criterionId": pid, "verdict": "confirmed"} for pid in world.work.actions[number]["criteria"]]
    await world.do(world.ada, "review_action", action_pid=ref, verdict="approved", summary="Good.", verdicts=verdicts)
    return ref


async def sent_back(world: World, number: int = 0, agent: Any = None) -> str:
    ref = await submitted(world, number, agent)
    await world.do(
        world.ada,
        "review_action",
        action_pid=ref,
        verdict="changes_requested",
        summary="Not yet.",
        items=[{"text": "Say why it failed."}],
    )
    return ref


async def held(world: World, number: int = 0, agent: Any = None) -> str:
    ref: str = world.refs[number]
    await world.do(agent or world.builder, "claim_action", action_pid=ref)
    return ref


# Claiming.


@refused_at(f"{GUARD}:_held_by_other_refusal", "already_claimed")
async def claim_what_another_user_holds(world: World) -> Attempt:
    return Attempt(world.builder, "claim_action", {"action_pid": await held(world, 0, world.stranger)})


@refused_at(f"{GUARD}:_held_by_other_refusal", "already_claimed")
async def claim_the_last_one_which_another_user_holds(world: World) -> Attempt:
    for number in range(3):
        await held(world, number, world.stranger)
    await held(world, 3), await held(world, 4)
    return Attempt(world.builder, "claim_action", {"action_pid": world.refs[0]})


@refused_at(f"{GUARD}:_held_by_other_refusal", "already_claimed")
async def claim_what_another_user_holds_with_three_held(world: World) -> Attempt:
    for number in (1, 2, 3):
        await held(world, number)
    return Attempt(world.builder, "claim_action", {"action_pid": await held(world, 0, world.stranger)})


@refused_at(f"{GUARD}:_held_by_other_refusal", "already_claimed")
async def claim_what_another_user_holds_without_taking_part(world: World) -> Attempt:
    return Attempt(world.outsider, "claim_action", {"action_pid": await held(world, 0, world.stranger)})


@refused_at(f"{GUARD}:_other_session_refusal", "held_by_your_other_session")
async def claim_what_another_session_holds(world: World) -> Attempt:
    return Attempt(world.second, "claim_action", {"action_pid": await held(world)})


@refused_at(
    f"{GUARD}:_other_session_refusal",
    "held_by_your_other_session",
    retry={"take_over": True},
)
async def claim_what_a_silent_session_holds(world: World) -> Attempt:
    ref = await held(world)
    world.clock.forward(10 * MINUTE)
    return Attempt(world.second, "claim_action", {"action_pid": ref})


@refused_at(f"{GUARD}:_other_session_refusal", "held_by_your_other_session")
async def claim_what_you_or_another_terminal_claimed(world: World) -> Attempt:
    bare = world.builder._replace(origin=world.builder.origin._replace(marks=frozenset()))
    await held(world, 0, bare)
    return Attempt(bare, "claim_action", {"action_pid": world.refs[0]})


@refused_at(f"{GUARD}:_held_by_thread_refusal", "held_by_your_other_session")
async def claim_what_a_sub_agent_holds(world: World) -> Attempt:
    await held(world, 0, world.terminal(world.builder, "1", thread="sub-agent-1"))
    return Attempt(world.builder, "claim_action", {"action_pid": world.refs[0]})


@refused_at(f"{GUARD}:_claim_limit_refusal", "claim_limit")
async def claim_a_fourth(world: World) -> Attempt:
    for number in range(3):
        await held(world, number)
    return Attempt(world.builder, "claim_action", {"action_pid": world.refs[3]})


@refused_at(f"{GUARD}:_claim_limit_refusal", "claim_limit", person="your user")
async def claim_a_fourth_where_another_session_holds_three(world: World) -> Attempt:
    for number in range(3):
        await held(world, number, world.second)
    return Attempt(world.builder, "claim_action", {"action_pid": world.refs[3]})


@refused_at("domain/claimable.py:_project_not_active_refusal", "project_not_active", person="A person")
async def claim_in_a_paused_project(world: World) -> Attempt:
    await world.do(world.ada, "update_project", project_id=world.key, state="paused")
    return Attempt(world.builder, "claim_action", {"action_pid": world.refs[0]})


@refused_at("domain/claimable.py:check_claimable", "not_a_participant", person="Ask a member")
async def claim_without_taking_part(world: World) -> Attempt:
    return Attempt(world.outsider, "claim_action", {"action_pid": world.refs[0]})


@refused_at("domain/claimable.py:check_claimable", "not_claimable")
async def claim_what_is_in_review(world: World) -> Attempt:
    return Attempt(world.stranger, "claim_action", {"action_pid": await submitted(world)})


@refused_at("domain/claimable.py:check_claimable", "not_claimable")
async def claim_what_is_in_review_by_who_submitted_it(world: World) -> Attempt:
    return Attempt(world.builder, "claim_action", {"action_pid": await submitted(world)})


@refused_at("domain/claimable.py:check_claimable", "not_claimable")
async def claim_what_is_done(world: World) -> Attempt:
    return Attempt(world.builder, "claim_action", {"action_pid": await approved(world)})


@refused_at("domain/claimable.py:check_claimable", "not_claimable", person="a person")
async def claim_a_dropped_task_with_nothing_else_free(world: World) -> Attempt:
    ref = await world.task()
    await world.do(world.ada, "update_task", task_id=ref, status="wont_do", reason="Not needed.")
    for number in range(5):
        await held(world, number, world.stranger if number < 3 else world.builder)
    return Attempt(world.builder, "claim_action", {"action_pid": ref})


@refused_at("domain/claimable.py:_not_ready_refusal", "not_published", person="a person")
async def claim_what_is_not_published(world: World) -> Attempt:
    criteria = ["It holds."]
    action = await world.do(world.ada, "create_action", plan_id=world.work.plan_id, label="Later", criteria=criteria)
    return Attempt(world.builder, "claim_action", {"action_pid": action["refCode"]})


@refused_at("domain/claimable.py:blocked_refusal", "prerequisites_open")
async def claim_what_waits(world: World) -> Attempt:
    return await waiting_for(world, 1)


async def waiting_for(world: World, *numbers: int) -> Attempt:
    """The first one waits for these, one after the other."""
    chain = [world.refs[number] for number in (0, *numbers)]
    for later, first in pairwise(chain):
        await world.do(world.ada, "create_edge", project_id=world.key, from_task_id=first, to_task_id=later)
    return Attempt(world.builder, "claim_action", {"action_pid": world.refs[0]})


@refused_at("domain/claimable.py:overlap_refusal", "overlaps")
async def claim_what_works_on_the_files_of_another(world: World) -> Attempt:
    await world.do(world.ada, "update_project", project_id=world.key, refuse_overlap=True)
    for ref in world.refs[:2]:
        await world.do(world.ada, "update_action", action_id=ref, paths=["src/shared.py"])
    await held(world, 1, world.stranger)
    return Attempt(world.builder, "claim_action", {"action_pid": world.refs[0]})


@refused_at("domain/claimable.py:blocked_refusal", "prerequisites_open")
async def claim_what_waits_for_what_waits(world: World) -> Attempt:
    return await waiting_for(world, 1, 2)


@refused_at("domain/claimable.py:blocked_refusal", "prerequisites_open")
async def claim_what_waits_for_what_another_user_holds(world: World) -> Attempt:
    await held(world, 1, world.stranger)
    return await waiting_for(world, 1)


@refused_at("domain/claimable.py:blocked_refusal", "prerequisites_open")
async def claim_what_waits_with_three_held(world: World) -> Attempt:
    for number in (2, 3, 4):
        await held(world, number)
    return await waiting_for(world, 1)


@refused_at("domain/claimable.py:blocked_refusal", "prerequisites_open")
async def claim_what_waits_for_what_was_dropped(world: World) -> Attempt:
    await held(world, 1)
    dropped = {"action_pid": world.refs[1], "status": "wont-do", "message": "Not needed."}
    await world.do(world.builder, "update_progress", **dropped)
    return await waiting_for(world, 1)


@refused_at(f"{GUARD}:changes_requested_of_other_refusal", "held_by_another")
async def claim_the_rework_of_another_user(world: World) -> Attempt:
    return Attempt(world.builder, "claim_action", {"action_pid": await sent_back(world, 0, world.stranger)})


# A claim of a backlog action: invisible to a building token, visible beside the planning tools.


@refused_at("operations/building/claim_guard.py:action_not_found_refusal", "not_found")
async def claim_a_backlog_task(world: World) -> Attempt:
    return Attempt(world.builder, "claim_action", {"action_pid": await world.task(status="backlog")})


@refused_at(
    "domain/claim_refusals.py:not_ready_refusal",
    "not_found",
    follow={
        "update_task": lambda _world, attempt, _message: [
            {"task_id": attempt.arguments["action_pid"], "status": "todo"}
        ]
    },
)
async def claim_a_backlog_task_that_the_caller_can_plan(world: World) -> Attempt:
    return Attempt(world.both, "claim_action", {"action_pid": await world.task(status="backlog")})


@refused_at("operations/building/claim_guard.py:action_not_found_refusal", "not_found")
async def claim_a_ref_that_never_was(world: World) -> Attempt:
    return Attempt(world.builder, "claim_action", {"action_pid": f"{world.key}-99"})


@refused_at("operations/building/claim_guard.py:action_not_found_refusal", "not_found")
async def claim_with_a_mistyped_key(world: World) -> Attempt:
    return Attempt(world.builder, "claim_action", {"action_pid": f"{world.key}N-1"})


@refused_at("operations/building/claim_guard.py:action_not_found_refusal", "not_found")
async def claim_an_id_that_never_was(world: World) -> Attempt:
    return Attempt(world.builder, "claim_action", {"action_pid": new_id()})


@refused_at("operations/building/claim_guard.py:action_not_found_refusal", "not_found")
async def read_a_brief_without_taking_part(world: World) -> Attempt:
    await world.task()
    return Attempt(world.outsider, "get_action_brief", {"action_pid": world.refs[0]})


@refused_at("operations/building/get_spec.py:run", "not_found")
async def read_a_spec_without_taking_part(world: World) -> Attempt:
    return Attempt(world.outsider, "get_spec", {"spec_pid": world.work.spec_id})


@refused_at("operations/building/get_spec.py:_parse_cursor", "bad_field", retry={"cursor": None})
async def read_a_spec_with_a_wrong_cursor(world: World) -> Attempt:
    return Attempt(world.builder, "get_spec", {"spec_pid": world.work.spec_id, "cursor": "x"})


@refused_at(
    "operations/building/get_attachment_url.py:run",
    "not_found",
    follow={
        "get_spec": lambda world, *_: [{"spec_pid": world.work.spec_id}],
        "get_action_brief": lambda world, *_: [{"action_pid": world.refs[0]}],
    },
)
async def read_an_attachment_that_never_was(world: World) -> Attempt:
    return Attempt(world.builder, "get_attachment_url", {"attachment_pid": new_id()})


@refused_at("operations/truncate.py:read_rest", "bad_field", retry={"rest": None})
async def read_the_rest_of_nothing(world: World) -> Attempt:
    return Attempt(world.builder, "get_action_brief", {"action_pid": world.refs[0], "rest": "nothing:5"})


# Writing.

WRITES: dict[str, Arguments] = {
    "update_progress": PROGRESS,
    "report_commit": {"sha": SHA, "message": "Work"},
    "report_test_result": {"outcome": "passed"},
    "request_clarification": {"question": "Which?"},
    "submit_for_review": SUBMITTED,
    "release_action": {},
}


def for_every_write(place: str, code: str, **more: Any) -> Any:
    """The same situation met by each writing tool."""

    def add(situation: Any) -> Any:
        for tool, arguments in WRITES.items():

            async def attempt(world: World, tool: str = tool, arguments: Arguments = arguments) -> Attempt:
                actor, ref = await situation(world)
                criterion = world.work.actions[0]["criteria"][0]
                named = {"criterion_id": criterion} if tool == "report_test_result" else {}
                return Attempt(actor, tool, {"action_pid": ref, **arguments, **named})

            attempt.__name__ = f"{tool}_{situation.__name__}"
            refused_at(place, code, **more)(attempt)
        return situation

    return add


@for_every_write(f"{GUARD}:_not_held_refusal", "not_claimed")
async def about_what_nobody_holds(world: World) -> tuple[Any, str]:
    return world.builder, world.refs[0]


@for_every_write(f"{GUARD}:_not_held_refusal", "not_claimed")
async def after_releasing_it(world: World) -> tuple[Any, str]:
    ref = await held(world)
    await world.do(world.builder, "release_action", action_pid=ref)
    return world.builder, ref


@for_every_write(f"{GUARD}:_not_held_refusal", "not_claimed")
async def about_what_is_done(world: World) -> tuple[Any, str]:
    return world.builder, await approved(world)


@for_every_write(f"{GUARD}:_not_held_refusal", "not_claimed")
async def about_what_another_user_submitted(world: World) -> tuple[Any, str]:
    return world.builder, await submitted(world, 0, world.stranger)


@for_every_write(f"{GUARD}:_not_held_refusal", "not_claimed")
async def about_what_was_dropped(world: World) -> tuple[Any, str]:
    ref = await held(world)
    await world.do(world.builder, "update_progress", action_pid=ref, status="wont-do", message="Not needed.")
    return world.builder, ref


@for_every_write(f"{GUARD}:_not_held_refusal", "not_claimed")
async def about_what_is_free_with_three_held(world: World) -> tuple[Any, str]:
    for number in (1, 2, 3):
        await held(world, number)
    return world.builder, world.refs[0]


@for_every_write(f"{GUARD}:_not_held_refusal", "not_claimed")
async def about_what_waits(world: World) -> tuple[Any, str]:
    await world.do(world.ada, "create_edge", project_id=world.key, from_task_id=world.refs[1], to_task_id=world.refs[0])
    return world.builder, world.refs[0]


@for_every_write(f"{GUARD}:_not_held_refusal", "in_review")
async def about_what_is_in_review(world: World) -> tuple[Any, str]:
    return world.builder, await submitted(world)


@for_every_write(f"{GUARD}:_not_held_refusal", "held_by_another")
async def about_what_another_user_holds(world: World) -> tuple[Any, str]:
    return world.builder, await held(world, 0, world.stranger)


@for_every_write(f"{GUARD}:_not_held_refusal", "held_by_another")
async def about_what_another_user_holds_with_three_held(world: World) -> tuple[Any, str]:
    for number in (1, 2, 3):
        await held(world, number)
    return world.builder, await held(world, 0, world.stranger)


@for_every_write(f"{GUARD}:_not_held_refusal", "held_by_another")
async def about_the_last_one_which_another_user_holds(world: World) -> tuple[Any, str]:
    for number in range(3):
        await held(world, number, world.stranger)
    await held(world, 3), await held(world, 4)
    return world.builder, world.refs[0]


@for_every_write(f"{GUARD}:_not_held_refusal", "held_by_your_other_session")
async def about_what_another_session_holds(world: World) -> tuple[Any, str]:
    return world.second, await held(world)


@for_every_write(f"{GUARD}:_not_held_refusal", "held_by_your_other_session")
async def about_what_another_session_let_expire(world: World) -> tuple[Any, str]:
    ref = await held(world)
    world.clock.forward(31 * MINUTE)
    return world.second, ref


@for_every_write(f"{GUARD}:_claim_lost_refusal", "claim_lost")
async def by_a_former_holder(world: World) -> tuple[Any, str]:
    ref = await held(world)
    await world.do(world.ada, "release_claim", action_pid=ref)
    await held(world, 0, world.stranger)
    return world.builder, ref


@for_every_write(f"{GUARD}:changes_requested_of_other_refusal", "held_by_another")
async def about_the_rework_of_another_user(world: World) -> tuple[Any, str]:
    return world.builder, await sent_back(world, 0, world.stranger)


@for_every_write("domain/claim.py:check_below_max_duration", "claim_expired")
async def after_the_longest_life_of_a_claim(world: World) -> tuple[Any, str]:
    ref = await held(world)
    world.clock.forward(25 * HOUR)
    return world.builder, ref


@refused_at(f"{GUARD}:_claim_lost_refusal", "claim_lost")
async def report_with_the_id_of_a_claim_that_was_released(world: World) -> Attempt:
    claim = await world.do(world.builder, "claim_action", action_pid=world.refs[0])
    await world.do(world.builder, "release_action", action_pid=world.refs[0])
    arguments = {"action_pid": world.refs[0], "sha": SHA, "message": "Work", "claim_id": claim["claim"]["id"]}
    return Attempt(world.builder, "report_commit", arguments)


@refused_at(f"{GUARD}:_earlier_claim_refusal", "claim_lost")
async def report_with_the_id_of_an_earlier_claim_on_what_one_holds(world: World) -> Attempt:
    claim = await world.do(world.builder, "claim_action", action_pid=world.refs[0])
    await world.do(world.builder, "release_action", action_pid=world.refs[0])
    await world.do(world.builder, "claim_action", action_pid=world.refs[0])
    arguments = {"action_pid": world.refs[0], "sha": SHA, "message": "Work", "claim_id": claim["claim"]["id"]}
    return Attempt(world.builder, "report_commit", arguments)


@refused_at(f"{GUARD}:_claim_lost_refusal", "claim_lost")
async def report_with_the_id_of_a_claim_on_what_is_done(world: World) -> Attempt:
    claim = await world.do(world.builder, "claim_action", action_pid=world.refs[0])
    await world.do(world.builder, "release_action", action_pid=world.refs[0])
    await approved(world, 0, world.stranger)
    arguments = {"action_pid": world.refs[0], "sha": SHA, "message": "Work", "claim_id": claim["claim"]["id"]}
    return Attempt(world.builder, "report_commit", arguments)


# Resubmitting.


def resubmit(ref: str, **more: Any) -> Arguments:
    return {"action_pid": ref, **SUBMITTED, **more}


@refused_at(f"{GUARD}:_not_in_review_refusal", "not_in_review")
async def resubmit_what_the_caller_holds(world: World) -> Attempt:
    return Attempt(world.builder, "resubmit_for_review", resubmit(await held(world)))


@refused_at(f"{GUARD}:_not_in_review_refusal", "not_in_review")
async def resubmit_what_nobody_holds(world: World) -> Attempt:
    return Attempt(world.builder, "resubmit_for_review", resubmit(world.refs[0]))


@refused_at(f"{GUARD}:_not_in_review_refusal", "not_in_review")
async def resubmit_what_is_done(world: World) -> Attempt:
    return Attempt(world.builder, "resubmit_for_review", resubmit(await approved(world)))


@refused_at(f"{GUARD}:_not_in_review_refusal", "not_in_review")
async def resubmit_what_another_user_holds(world: World) -> Attempt:
    return Attempt(world.builder, "resubmit_for_review", resubmit(await held(world, 0, world.stranger)))


@refused_at(f"{GUARD}:_not_in_review_refusal", "not_in_review")
async def resubmit_what_another_session_holds(world: World) -> Attempt:
    return Attempt(world.second, "resubmit_for_review", resubmit(await held(world)))


@refused_at(f"{GUARD}:require_resubmittable_claim", "held_by_another")
async def resubmit_what_another_user_submitted(world: World) -> Attempt:
    return Attempt(world.builder, "resubmit_for_review", resubmit(await submitted(world, 0, world.stranger)))


@refused_at(f"{GUARD}:check_not_rework", "changes_requested")
async def submit_what_was_sent_back(world: World) -> Attempt:
    return Attempt(world.builder, "submit_for_review", resubmit(await sent_back(world)))


@refused_at(
    "domain/review.py:check_review_items_are_open",
    "unknown_review_item",
    retry=lambda world, attempt, message: [
        {"dispositions": [{"itemId": ids_in(message)[-1], "disposition": "fixed", "note": "Done."}]}
    ],
)
async def resubmit_with_an_unknown_item(world: World) -> Attempt:
    dispositions = [{"itemId": "1", "disposition": "fixed", "note": "Done."}]
    return Attempt(world.builder, "resubmit_for_review", resubmit(await sent_back(world), dispositions=dispositions))


@refused_at("domain/review.py:check_review_items_are_open", "unknown_review_item", retry={"dispositions": []})
async def resubmit_with_an_item_where_none_is_open(world: World) -> Attempt:
    dispositions = [{"itemId": "1", "disposition": "fixed", "note": "Done."}]
    return Attempt(world.builder, "resubmit_for_review", resubmit(await submitted(world), dispositions=dispositions))


# What is submitted or reported.


def ids_in(message: str) -> list[str]:
    return re.findall(r"[0-9a-f]{8}-[0-9a-f-]{27}", message)


@refused_at(
    "domain/report.py:check_criteria_belong_to_action",
    "unknown_criterion",
    retry=lambda _world, _attempt, message: [{"criterion_id": pid} for pid in ids_in(message)],
)
async def report_a_test_of_a_criterion_by_number(world: World) -> Attempt:
    arguments = {"action_pid": await held(world), "criterion_id": "AC-2", "outcome": "passed"}
    return Attempt(world.builder, "report_test_result", arguments)


@refused_at(
    "domain/clarification.py:check_no_open_questions",
    "open_clarifications",
    follow={
        "answer_clarification": lambda _world, _attempt, message: [
            {"clarification_pid": ids_in(message)[0], "answer": "A."}
        ]
    },
)
async def submit_with_an_open_question(world: World) -> Attempt:
    ref = await held(world)
    await world.do(world.builder, "request_clarification", action_pid=ref, question="Which?")
    return Attempt(world.builder, "submit_for_review", {"action_pid": ref, **SUBMITTED})


@refused_at("domain/clarification.py:check_question_open", "already_answered")
async def answer_a_question_twice(world: World) -> Attempt:
    ref = await held(world)
    question = await world.do(world.builder, "request_clarification", action_pid=ref, question="Which?")
    answer = {"clarification_pid": question["pid"], "answer": "The first."}
    await world.do(world.builder, "answer_clarification", **answer)
    world.notes["ref"] = ref
    return Attempt(world.builder, "answer_clarification", answer)


ROWS[-1].follow["get_action_brief"] = lambda world, *_: [{"action_pid": world.notes["ref"]}]


@refused_at("operations/building/answer_clarification.py:find_and_lock_clarification", "not_found")
async def answer_a_question_that_never_was(world: World) -> Attempt:
    world.notes["ref"] = await held(world)
    return Attempt(world.builder, "answer_clarification", {"clarification_pid": new_id(), "answer": "A."})


ROWS[-1].follow["get_action_brief"] = lambda world, *_: [{"action_pid": world.notes["ref"]}]


@refused_at("domain/claim.py:check_may_relay_answer", "held_by_another", person="A person")
async def answer_the_question_of_another_user(world: World) -> Attempt:
    ref = await held(world, 0, world.stranger)
    question = await world.do(world.stranger, "request_clarification", action_pid=ref, question="Which?")
    return Attempt(world.builder, "answer_clarification", {"clarification_pid": question["pid"], "answer": "A."})


@refused_at("domain/review.py:check_reviewer_can_find_code", "bad_field", retry={"pr_url": "https://git.example.com/1"})
async def submit_without_a_pull_request(world: World) -> Attempt:
    await world.do(world.ada, "update_project", project_id=world.key, repository_url="https://git.example.com/r")
    return Attempt(world.builder, "submit_for_review", {"action_pid": await held(world), "summary": "Done."})


@refused_at("domain/review.py:check_reviewer_can_find_code", "bad_field", retry={"branch": "main", "head_sha": SHA})
async def submit_without_any_code(world: World) -> Attempt:
    return Attempt(world.builder, "submit_for_review", {"action_pid": await held(world), "summary": "Done."})


@refused_at("domain/review.py:check_reviewer_can_find_code", "bad_field", retry={"head_sha": SHA})
async def submit_a_branch_alone(world: World) -> Attempt:
    arguments = {"action_pid": await held(world), "summary": "Done.", "branch": "main"}
    return Attempt(world.builder, "submit_for_review", arguments)


@refused_at("domain/review.py:check_reviewer_can_find_code", "bad_field", retry={"branch": "main"})
async def submit_a_head_alone(world: World) -> Attempt:
    arguments = {"action_pid": await held(world), "summary": "Done.", "head_sha": SHA}
    return Attempt(world.builder, "submit_for_review", arguments)


@refused_at("domain/review.py:_check_pull_request_host", "bad_field", retry={"pr_url": "https://git.example.com/1"})
async def submit_a_pull_request_on_this_machine(world: World) -> Attempt:
    arguments = {"action_pid": await held(world), "summary": "Done.", "pr_url": "http://127.0.0.1:3000/pull/1"}
    return Attempt(world.builder, "submit_for_review", arguments)


async def failing(world: World) -> Attempt:
    ref, criterion = await held(world), world.work.actions[0]["criteria"][0]
    report = {"action_pid": ref, "criterion_id": criterion, "outcome": "failed"}
    await world.do(world.builder, "report_test_result", **report)
    return Attempt(world.builder, "submit_for_review", {"action_pid": ref, **SUBMITTED})


def unmet(_world: World, _attempt: Attempt, message: str) -> list[Arguments]:
    return [{"unmet": [{"criterionId": pid, "reason": "No time."} for pid in ids_in(message)]}]


def passed(_world: World, attempt: Attempt, message: str) -> list[Arguments]:
    about = {"action_pid": attempt.arguments["action_pid"], "outcome": "passed"}
    return [{**about, "criterion_id": ids_in(message)[0]}]


@refused_at(
    "domain/review.py:check_failing_criteria_are_declared",
    "criteria_failing",
    retry=unmet,
    follow={"report_test_result": passed},
)
async def submit_with_a_failing_criterion(world: World) -> Attempt:
    return await failing(world)


@refused_at(
    "domain/review.py:check_every_criterion_is_proven",
    "criteria_unproven",
    retry=unmet,
    follow={"report_test_result": passed},
)
async def submit_unproven_where_evidence_is_required(world: World) -> Attempt:
    await world.do(world.ada, "update_project", project_id=world.key, require_evidence=True)
    return Attempt(world.builder, "submit_for_review", {"action_pid": await held(world), **SUBMITTED})


async def twice_unmet(world: World, *reasons: Arguments, **more: Any) -> Attempt:
    arguments = {"action_pid": await held(world), **SUBMITTED, "unmet": list(reasons), **more}
    return Attempt(world.builder, "submit_for_review", arguments)


@refused_at("operations/building/submission.py:_check_unmet_entries", "bad_field", retry={"unmet": []})
async def submit_a_criterion_as_unmet_twice(world: World) -> Attempt:
    reason = {"criterionId": world.work.actions[0]["criteria"][0], "reason": "No time."}
    return await twice_unmet(world, reason, reason)


@refused_at("operations/building/submission.py:_check_unmet_entries", "bad_field", retry={"unmet": []})
async def submit_a_criterion_as_unmet_and_shown(world: World) -> Attempt:
    criterion = world.work.actions[0]["criteria"][0]
    evidence = [{"criterionId": criterion, "evidence": "12/12"}]
    return await twice_unmet(world, {"criterionId": criterion, "reason": "No time."}, evidence=evidence)


@refused_at("domain/report.py:parse_full_sha", "bad_field", retry={"sha": SHA})
async def report_a_short_sha(world: World) -> Attempt:
    arguments = {"action_pid": await held(world), "sha": SHA[:7], "message": "Work"}
    return Attempt(world.builder, "report_commit", arguments)


# Any tool.


@refused_at("operations/decode_input.py:_bad_input_error", "bad_field", retry={"status": "started"})
async def progress_with_an_unknown_status(world: World) -> Attempt:
    return Attempt(world.builder, "update_progress", {"action_pid": await held(world), **PROGRESS, "status": "done"})


@refused_at(
    "operations/decode_input.py:_bad_input_error", "bad_field", retry={"action_id": None, "action_pid": "PEN-1"}
)
async def claim_with_a_mistyped_field(world: World) -> Attempt:
    return Attempt(world.builder, "claim_action", {"action_id": world.refs[0], "action_pid": world.refs[0]})


@refused_at("operations/decode_input.py:_bad_input_error", "bad_field", retry={"pr_url": "https://git.example.com/1"})
async def submit_what_is_no_url(world: World) -> Attempt:
    arguments = {"action_pid": await held(world), "summary": "Done.", "pr_url": "pull/1"}
    return Attempt(world.builder, "submit_for_review", arguments)


@refused_at("operations/decode_input.py:check_no_control_characters", "bad_field", retry={"message": "At work."})
async def progress_with_a_control_character(world: World) -> Attempt:
    arguments = {"action_pid": await held(world), "status": "started", "message": "At\x00work."}
    return Attempt(world.builder, "update_progress", arguments)


@refused_at("operations/idempotent_run.py:run_idempotent", "idempotency_key_reused", retry={"idempotency_key": "b"})
async def progress_with_a_used_key(world: World) -> Attempt:
    arguments = {"action_pid": await held(world), "status": "started", "idempotency_key": "a"}
    await world.do(world.builder, "update_progress", **arguments, message="At work.")
    return Attempt(world.builder, "update_progress", {**arguments, "message": "Still at work."})


@refused_at("domain/access.py:check_permission", "role_forbids", person="Ask an owner")
async def claim_as_a_viewer(world: World) -> Attempt:
    viewer = await world.agent(world.ben, BUILDING_SCOPES)
    await world.do(world.ada, "change_role", user_pid=world.ben.user_id, role="viewer")
    return Attempt(viewer._replace(role=Role.VIEWER), "claim_action", {"action_pid": world.refs[0]})


@refused_at("operations/access/authenticate_token.py:unknown_token_error", "unauthenticated", person="Sign in again")
async def claim_after_being_removed(world: World) -> Attempt:
    await world.do(world.ada, "remove_member", user_pid=world.ben.user_id)
    return Attempt(world.stranger, "claim_action", {"action_pid": world.refs[0]})
