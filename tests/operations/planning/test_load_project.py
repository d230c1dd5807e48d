"""A whole project from one description, and the sample that newcomers load."""

import copy

import pytest

from pendesk.domain.errors import BadField, RuleBroken
from tests.refusals import refused

SMALL = {
    "project": {"key": "SML", "name": "Small"},
    "goals": [{"key": "g", "title": "A goal"}],
    "specs": [
        {
            "key": "s",
            "goal": "g",
            "title": "A spec",
            "plan": {"title": "A plan", "approach": "Step by step."},
            "publish": True,
            "actions": [
                {"key": "a", "label": "First", "criteria": ["It is there"]},
                {"key": "b", "label": "Second", "criteria": ["It is there too"], "after": ["a"]},
            ],
        }
    ],
    "tasks": [{"key": "t", "label": "An idea", "state": "backlog", "after": ["b"]}],
    "documents": [{"title": "Vision", "body": "See."}, {"title": "Below", "parent": "Vision", "linkTo": "a"}],
    "notes": [{"title": "A note"}],
}


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


def changed(**parts):
    return {**copy.deepcopy(SMALL), **parts}


async def test_what_is_described_is_there_and_published(desk, ada):
    loaded = await desk.call(ada, "load_project", **SMALL)
    assert (loaded["key"], loaded["specs"], loaded["actions"], loaded["published"]) == ("SML", 1, 3, 1)
    (spec,) = (await desk.call(ada, "list_available_specs"))["specs"]
    assert [action["label"] for action in spec["actions"]] == ["First", "Second"]
    with refused(RuleBroken, "prerequisites_open"):
        await desk.call(ada, "claim_action", action_pid=loaded["key_to_id"]["b"])


async def test_nothing_is_left_of_a_description_that_is_wrong_at_its_end(desk, ada):
    with refused(BadField) as caught:
        await desk.call(ada, "load_project", **changed(documents=[{"title": "Below", "parent": "Nowhere"}]))
    assert caught.refusal.details["field"] == "documents[0].parent"
    assert (await desk.call(ada, "list_projects"))["projects"] == []
    assert (await desk.call(ada, "list_events"))["events"] == []


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"goals": [{"key": "g", "title": "A"}, {"key": "g", "title": "B"}]}, "goals[1].key"),
        ({"tasks": [{"key": "t", "label": "A", "after": ["later"]}]}, "tasks[0].after"),
        ({"specs": [{"key": "s", "title": "A", "goal": "none"}]}, "specs[0].goal"),
        ({"specs": [{"key": "s", "title": "A", "actions": [{"key": "a", "label": "B"}]}]}, "specs[0].plan"),
        ({"notes": [{"title": "A", "color": "red"}]}, "notes[0].color"),
        ({"project": {"key": "no key", "name": "A"}}, "key"),
    ],
)
async def test_a_fault_is_named_by_its_place(desk, ada, parts, field):
    with refused(BadField) as caught:
        await desk.call(ada, "load_project", **changed(**parts))
    assert caught.refusal.details["field"] == field
