"""Edges: which way they order, and that they never form a loop."""

import asyncio
import threading
from itertools import pairwise

import pytest

from pendesk.domain.errors import BadField, NotFound, RuleBroken
from pendesk.domain.limits import ACTION_EDGES, CYCLE_SHOWN
from pendesk.operations.actions import create_edge
from pendesk.store import edges
from tests.events import events_of
from tests.refusals import refused


async def tasks(desk, ada, number):
    for each in range(number):
        await desk.call(ada, "create_action", project_id="PEN", label=f"Task {each + 1}")


async def draw(desk, ada, source, target, label="blocks"):
    return await desk.call(ada, "create_edge", project_id="PEN", from_task_id=source, to_task_id=target, label=label)


@pytest.mark.parametrize("label", ["blocks", "unblocks", "feeds", "enables"])
async def test_the_source_comes_first(desk, ada, project, label):
    await tasks(desk, ada, 2)
    await draw(desk, ada, "PEN-1", "PEN-2", label)
    assert [one["refCode"] for one in (await desk.call(ada, "get_action", action_id="PEN-2"))["prerequisites"]] == [
        "PEN-1"
    ]


async def test_what_depends_comes_after(desk, ada, project):
    await tasks(desk, ada, 2)
    await draw(desk, ada, "PEN-1", "PEN-2", "depends_on")
    with refused(RuleBroken, "prerequisites_open"):
        await desk.call(ada, "claim_action", action_pid="PEN-1")


@pytest.mark.parametrize("label", ["clarifies", "supports"])
async def test_some_labels_order_nothing_and_may_go_round(desk, ada, project, label):
    await tasks(desk, ada, 2)
    await draw(desk, ada, "PEN-1", "PEN-2", label)
    edge = await draw(desk, ada, "PEN-2", "PEN-1", label)
    assert (edge["comesFirst"], edge["comesAfter"]) == (None, None)
    await desk.call(ada, "claim_action", action_pid="PEN-1")


async def test_drawing_it_again_gives_the_same_edge(desk, ada, project):
    await tasks(desk, ada, 2)
    assert await draw(desk, ada, "PEN-1", "PEN-2") == await draw(desk, ada, "PEN-1", "PEN-2")
    assert len(await events_of(desk, ada, "edge.created")) == 1


async def test_a_cycle_is_refused_by_name(desk, ada, project):
    await tasks(desk, ada, 4)
    for source, target in (("PEN-1", "PEN-2"), ("PEN-2", "PEN-3"), ("PEN-1", "PEN-4")):
        await draw(desk, ada, source, target)
    with refused(RuleBroken, "cycle") as caught:
        await draw(desk, ada, "PEN-3", "PEN-1")
    assert caught.refusal.details["cycle"] == ["PEN-3", "PEN-1", "PEN-2", "PEN-3"]
    assert "PEN-3 -> PEN-1 -> PEN-2 -> PEN-3" in caught.refusal.message


@pytest.fixture
async def chain(desk, ada, project):
    """PEN-1 to PEN-12, one after the other."""
    await tasks(desk, ada, 12)
    for number, following in pairwise(range(1, 13)):
        await draw(desk, ada, f"PEN-{number}", f"PEN-{following}")


async def test_of_a_long_way_round_the_beginning_and_the_end_are_told(desk, ada, chain):
    with refused(RuleBroken, "cycle") as caught:
        await draw(desk, ada, "PEN-12", "PEN-1")
    told = caught.refusal.details["cycle"]
    assert told == ["PEN-12", *(f"PEN-{number}" for number in range(1, CYCLE_SHOWN - 1)), "...", "PEN-12"]


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 8, 100])
async def test_a_cycle_is_seen_however_soon_the_walk_is_left_to_a_thread(desk, ada, chain, monkeypatch, limit):
    monkeypatch.setattr(create_edge, "ORDER_WALK_EDGES", limit)
    for source, target in (("PEN-12", "PEN-1"), ("PEN-7", "PEN-6"), ("PEN-9", "PEN-3")):
        with refused(RuleBroken, "cycle"):
            await draw(desk, ada, source, target)
    await draw(desk, ada, "PEN-5", "PEN-8")
    assert len(await events_of(desk, ada, "edge.created")) == 12


async def test_a_walk_that_is_long_from_both_ends_leaves_the_loop_alone(desk, ada, chain, monkeypatch):
    monkeypatch.setattr(create_edge, "ORDER_WALK_EDGES", 3)
    threads = []
    reaches = edges.is_reachable

    def watched(tx, start, target):
        threads.append(threading.current_thread())
        return reaches(tx, start, target)

    monkeypatch.setattr(edges, "is_reachable", watched)
    await draw(desk, ada, "PEN-5", "PEN-8")
    assert len(threads) == 1
    assert threading.main_thread() not in threads


async def test_what_is_short_from_either_end_is_walked_at_once(desk, ada, chain, monkeypatch):
    monkeypatch.setattr(create_edge, "ORDER_WALK_EDGES", 3)
    monkeypatch.setattr(type(desk.store), "long_write", None)
    await draw(desk, ada, "PEN-8", "PEN-11")
    await draw(desk, ada, "PEN-2", "PEN-5")


async def test_a_cycle_of_mixed_labels_is_seen(desk, ada, project):
    await tasks(desk, ada, 2)
    await draw(desk, ada, "PEN-1", "PEN-2", "blocks")
    with refused(RuleBroken, "cycle"):
        await draw(desk, ada, "PEN-1", "PEN-2", "depends_on")


async def test_an_action_is_not_connected_with_itself(desk, ada, project):
    await tasks(desk, ada, 1)
    for label in ("blocks", "supports"):
        with refused(RuleBroken, "self_edge"):
            await draw(desk, ada, "PEN-1", "PEN-1", label)


async def test_both_ends_lie_in_the_project(desk, ada, project):
    await tasks(desk, ada, 1)
    await desk.call(ada, "create_project", name="Other", key="OTH")
    await desk.call(ada, "create_action", project_id="OTH", label="x")
    with refused(RuleBroken, "other_project"):
        await draw(desk, ada, "PEN-1", "OTH-1")
    with refused(NotFound):
        await draw(desk, ada, "PEN-1", "PEN-9")


async def test_edges_of_an_action_are_bounded(desk, ada, project):
    await tasks(desk, ada, ACTION_EDGES + 2)
    for number in range(ACTION_EDGES):
        await draw(desk, ada, "PEN-1", f"PEN-{number + 2}")
    with refused(RuleBroken, "too_many"):
        await draw(desk, ada, "PEN-1", f"PEN-{ACTION_EDGES + 2}")


async def test_a_removed_edge_no_longer_holds_anything_back(desk, ada, project):
    await tasks(desk, ada, 2)
    edge = await draw(desk, ada, "PEN-1", "PEN-2")
    await desk.call(ada, "remove_edge", edge_id=edge["pid"])
    await desk.call(ada, "claim_action", action_pid="PEN-2")
    with refused(NotFound):
        await desk.call(ada, "remove_edge", edge_id=edge["pid"])
    await draw(desk, ada, "PEN-2", "PEN-1")


async def test_two_edges_at_once_never_close_a_loop(desk, ada, project):
    for number in range(0, 16, 2):
        await tasks(desk, ada, 2)
        one, two = f"PEN-{number + 1}", f"PEN-{number + 2}"
        told = await asyncio.gather(draw(desk, ada, one, two), draw(desk, ada, two, one), return_exceptions=True)
        assert sorted(getattr(each, "code", "drawn") for each in told) == ["cycle", "drawn"]


async def test_ref_numbers_are_given_out_once_under_a_crowd(desk, ada, project):
    made = await asyncio.gather(*(desk.call(ada, "create_action", project_id="PEN", label="x") for _ in range(24)))
    assert sorted(one["refCode"] for one in made) == sorted(f"PEN-{number}" for number in range(1, 25))


async def test_an_edge_is_removed_by_its_ends(desk, ada, project):
    await tasks(desk, ada, 3)
    edge = await draw(desk, ada, "PEN-1", "PEN-2")
    removed = await desk.call(ada, "remove_edge", from_task_id="PEN-1", to_task_id="PEN-2")
    assert removed == edge
    for source, target in (("PEN-1", "PEN-2"), ("PEN-2", "PEN-1"), ("PEN-1", "PEN-3")):
        with refused(NotFound):
            await desk.call(ada, "remove_edge", from_task_id=source, to_task_id=target)
    with refused(NotFound):
        await desk.call(ada, "remove_edge", from_task_id="PEN-1", to_task_id="PEN-9")


async def test_of_several_edges_one_has_to_be_named(desk, ada, project):
    await tasks(desk, ada, 2)
    drawn = [await draw(desk, ada, "PEN-1", "PEN-2", label) for label in ("blocks", "supports")]
    with refused(RuleBroken, "several_edges") as caught:
        await desk.call(ada, "remove_edge", from_task_id="PEN-1", to_task_id="PEN-2")
    assert [entry["pid"] for entry in caught.refusal.details["edges"]] == [edge["pid"] for edge in drawn]
    await desk.call(ada, "remove_edge", edge_id=drawn[0]["pid"])
    await desk.call(ada, "remove_edge", from_task_id="PEN-1", to_task_id="PEN-2")


@pytest.mark.parametrize("fields", ["", "from_task_id", "to_task_id", "edge_id from_task_id to_task_id"])
async def test_an_edge_is_named_in_one_way(desk, ada, project, fields):
    await tasks(desk, ada, 2)
    edge = await draw(desk, ada, "PEN-1", "PEN-2")
    names = {"edge_id": edge["pid"], "from_task_id": "PEN-1", "to_task_id": "PEN-2"}
    with refused(BadField):
        await desk.call(ada, "remove_edge", **{name: names[name] for name in fields.split()})
