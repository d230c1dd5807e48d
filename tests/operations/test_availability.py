"""What every surface says of every action there can be, to everyone who can look: no two disagree, and what is called
free can be claimed.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from typing import Any
from unittest.mock import patch

import pytest

from pendesk.domain.action import ActionState
from pendesk.domain.errors import Refusal
from pendesk.operations.actions import list_tasks
from pendesk.operations.building import claim_action, claim_guard, get_spec, list_available_specs
from pendesk.operations.projects import search
from tests.operations.availability_world import (
    CALLERS,
    CASES,
    FEW_CASES,
    SITUATIONS,
    Case,
    World,
    build_world,
    expected,
    let_everyone_take_part,
)

CAN_CLAIM = ("mine", "changes_requested", "free")
EVERYTHING = 10_000
SHOWN = ",".join(f"{state}:500" for state in ActionState)


class Accepted(Exception):
    """A claim was about to be saved: its transaction is rolled back, and nothing has changed."""


@contextmanager
def claims_rolled_back() -> Iterator[None]:
    with ExitStack() as stack:
        for module, name in (
            (claim_action, "save_claim"),
            (claim_guard, "save_claim"),
            (claim_action, "resume_claim_if_expired"),
        ):
            stack.enter_context(patch.object(module, name, side_effect=Accepted))
        yield


def page_of_everything(_call: Any, rows: list[Any], to_output: Any, _key: Any) -> tuple[list[Any], None]:
    return [to_output(row) for row in rows], None


@contextmanager
def lists_whole() -> Iterator[None]:
    with ExitStack() as stack:
        for module, name in (
            (list_available_specs, "ACTIONS_PER_SPEC_LISTED"),
            (list_available_specs, "OTHER_ACTIONS_LISTED"),
            (get_spec, "ACTIONS_PER_SPEC_PAGE"),
            (search, "SEARCH_ROWS"),
            (search, "SEARCH_ROWS_FOR_AGENT"),
            (list_tasks, "PAGE_ROWS"),
        ):
            stack.enter_context(patch.object(module, name, EVERYTHING))
        stack.enter_context(patch.object(list_available_specs, "fits_token_limit", return_value=True))
        stack.enter_context(patch.object(get_spec, "truncate_to_token_limit", lambda answer: answer))
        for module in (search, list_tasks):
            stack.enter_context(patch.object(module, "page_within_token_limit", page_of_everything))
        stack.enter_context(patch("pendesk.operations.building.open_work.OTHER_ACTIONS_LOOKED_AT", EVERYTHING))
        yield


@pytest.fixture
async def world(desk) -> World:
    return await build_world(desk)


def said(rows: list[dict[str, Any]], world: World) -> dict[str, tuple[str, str | None]]:
    """Ref code -> what a surface says of it."""
    return {
        row["refCode"]: (row["availability"], row.get("notReadyReason"))
        for row in rows
        if row.get("refCode") in world.cases
    }


async def surfaces(world: World, caller: str) -> dict[str, dict[str, tuple[str, str | None]]]:
    """What each of them says to one caller."""
    desk, actor = world.desk, world.callers[caller]

    async def rows(operation: str, path: str, **arguments: Any) -> list[dict[str, Any]]:
        answer: list[Any] = [await desk.call(actor, operation, **arguments)]
        for name in path.split("."):
            values = [value[name] for value in answer]
            answer = [part for value in values for part in (value if isinstance(value, list) else [value])]
        return answer

    listed = await desk.call(actor, "list_available_specs")
    of_list = [row for part in (*listed["specs"], *listed.get("otherActions", [])) for row in part["actions"]]
    found: dict[str, list[dict[str, Any]]] = {"list_available_specs": of_list, "get_spec": [], "get_board": []}
    found |= {"list_cards": [], "get_flow": [], "list_tasks": []}
    found["search"] = await rows("search", "results", query="matrix")
    found["get_inbox"] = await rows("get_inbox", "items")
    for spec_id in world.spec_ids:
        found["get_spec"] += await rows("get_spec", "actions", spec_pid=spec_id)
    for project_id in world.project_ids:
        found["get_board"] += await rows("get_board", "columns.cards", project_id=project_id, shown=SHOWN)
        found["list_cards"] += await rows("list_cards", "cards", project_id=project_id)
        every_action = {"group": "action", "done": "shown"}
        found["get_flow"] += await rows("get_flow", "nodes.card", project_id=project_id, **every_action)
        found["list_tasks"] += await rows("list_tasks", "tasks", project_id=project_id)
    for row in found["list_tasks"]:  # says only what the status does not, and leaves the reason to get_task
        row["availability"] = row.get("availability", row["status"])
        if row["availability"] == "not_ready" and row["refCode"] in world.cases:
            row["notReadyReason"] = expected(world.cases[row["refCode"]], caller)[1]
    return {surface: said(of_surface, world) for surface, of_surface in found.items()}


async def no_two_surfaces_disagree_and_none_leaves_out_what_can_be_claimed(world: World) -> None:
    for caller in CALLERS:
        right = {ref: expected(case, caller) for ref, case in world.cases.items()}
        with lists_whole():
            answers_by_surface = await surfaces(world, caller)
        for surface, answers in answers_by_surface.items():
            wrong = {world.cases[ref]: (answer, right[ref]) for ref, answer in answers.items() if answer != right[ref]}
            assert wrong == {}, (surface, caller)
            if surface not in ("list_available_specs", "get_spec", "get_inbox"):
                assert answers.keys() == world.cases.keys(), (surface, caller)
        claimable = {ref for ref, (state, _reason) in right.items() if state in CAN_CLAIM}
        missing = claimable - answers_by_surface["list_available_specs"].keys()
        assert {(world.cases[ref].place, right[ref][0]) for ref in missing} <= {("paused", "mine")}, caller


async def outcomes_of_claims(world: World, callers: tuple[str, ...]) -> dict[tuple[Case, str], bool]:
    """Whether each of them may claim each action."""
    outcomes: dict[tuple[Case, str], bool] = {}
    with claims_rolled_back():
        for caller, (ref, case) in product(callers, world.cases.items()):
            try:
                await world.desk.call(world.callers[caller], "claim_action", action_pid=ref)
            except Accepted:
                outcomes[case, caller] = True
            except Refusal:
                outcomes[case, caller] = False
    return outcomes


async def what_is_called_free_or_mine_can_be_claimed_and_nothing_else(world: World) -> None:
    outcomes = await outcomes_of_claims(world, CALLERS)
    wrong = [key for key, accepted in outcomes.items() if accepted != (expected(*key)[0] in CAN_CLAIM)]
    assert wrong == []
    assert len(outcomes) == len(CASES) * len(CALLERS)


async def test_where_everyone_takes_part_a_stranger_is_told_and_may_claim_what_a_participant_may(desk):
    world = await build_world(desk, FEW_CASES)
    await let_everyone_take_part(world)
    right = {ref: expected(case, "stranger", everyone=True) for ref, case in world.cases.items()}
    with lists_whole():
        answers_by_surface = await surfaces(world, "stranger")
    for surface, answers in answers_by_surface.items():
        wrong = {world.cases[ref]: (answer, right[ref]) for ref, answer in answers.items() if answer != right[ref]}
        assert wrong == {}, surface
    free = {ref for ref, (state, _reason) in right.items() if state in CAN_CLAIM}
    assert free <= answers_by_surface["list_available_specs"].keys()
    claimed = {
        case for (case, _caller), accepted in (await outcomes_of_claims(world, ("stranger",))).items() if accepted
    }
    assert claimed == {world.cases[ref] for ref in free}


async def the_brief_says_the_same_and_advises_no_claim_that_would_be_refused(world: World) -> None:
    # Reading one's own brief resumes a lease: the holder reads last.
    for caller in (*CALLERS[1:], CALLERS[0]):
        for ref, case in world.cases.items():
            if case.situation in ("backlog", "scope"):
                continue
            brief = await world.desk.call(world.callers[caller], "get_action_brief", action_pid=ref)
            right, reason = expected(case, caller)
            assert (brief["availability"], brief.get("notReadyReason")) == (right, reason), (case, caller)
            assert ("waitsFor" in brief) == (right == "blocked"), (case, caller)
            assert ("heldBy" in brief) == (right == "held"), (case, caller)
            advises_claim = f"claim {ref} with claim_action" in brief["next_step"]
            assert advises_claim <= (right in CAN_CLAIM), (case, caller, brief["next_step"])


async def the_context_names_what_is_held_what_may_be_and_what_comes_next(world: World) -> None:
    for caller in CALLERS:
        context = await world.desk.call(world.callers[caller], "get_context")
        states = {ref: expected(case, caller)[0] for ref, case in world.cases.items()}
        assert {states[row["refCode"]] for row in context["held"]} <= {"mine"}
        assert {states[row["refCode"]] for row in context.get("changesRequested", [])} <= {"changes_requested"}
        assert {states[row["refCode"]] for row in context.get("mayHold", [])} <= {"held", "free"}
        assert context["next"] is None or states[context["next"]["refCode"]] == "free"


async def insights_count_what_the_others_show(world: World) -> None:
    for caller in CALLERS:
        counted = Counter[tuple[str, str | None]]()
        for project_id in world.project_ids:
            rows = (await world.desk.call(world.callers[caller], "get_insights", project_id=project_id))["open"]
            counted.update({(row["availability"], row.get("notReadyReason")): row["count"] for row in rows})
        # What the others wait for is open too: two in each project, and the second waits for the first.
        first = expected(Case("todo", "none", "published"), caller)
        paused = expected(Case("todo", "none", "paused"), caller)
        active = len(world.project_ids) - 1
        right = Counter([*[first, ("blocked", None)] * active, paused, paused])
        right.update(expected(case, caller) for case in world.cases.values())
        assert counted == Counter({key: count for key, count in right.items() if key[0] not in ("done", "wont_do")})


async def the_filter_for_what_is_blocked_finds_just_that(world: World) -> None:
    marked: dict[str, str] = {}
    for project_id in world.project_ids:
        cards = await world.desk.call(world.callers["person"], "list_cards", project_id=project_id, mark="blocked")
        marked |= {card["refCode"]: card["availability"] for card in cards["cards"] if card["refCode"] in world.cases}
    assert set(marked.values()) == {"blocked"}
    blocked = {ref for ref, case in world.cases.items() if expected(case, "person")[0] == "blocked"}
    assert marked.keys() == blocked


def test_the_world_has_every_state_that_there_is():
    assert {state for state, _holder, _claim in SITUATIONS.values()} == set(ActionState)


async def test_everything_says_the_same_of_every_action(world):
    """In one world: to build it costs more than to look at it. Reading briefs resumes leases, so it comes last."""
    await no_two_surfaces_disagree_and_none_leaves_out_what_can_be_claimed(world)
    await the_context_names_what_is_held_what_may_be_and_what_comes_next(world)
    await insights_count_what_the_others_show(world)
    await the_filter_for_what_is_blocked_finds_just_that(world)
    await what_is_called_free_or_mine_can_be_claimed_and_nothing_else(world)
    await the_brief_says_the_same_and_advises_no_claim_that_would_be_refused(world)
