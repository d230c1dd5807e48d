"""Two revisions of a text, word by word."""

import pytest

from pendesk.domain.errors import BadField, NotFound
from tests.refusals import refused


@pytest.fixture
async def note(desk, ada, project):
    created = await desk.call(ada, "create_note", project_id="PEN", title="Plan", body="One two three")
    await desk.call(ada, "update_note", note_id=created["pid"], body="One zwei three", expected_revision=1)
    await desk.call(ada, "update_note", note_id=created["pid"], title="Plans")
    return created["pid"]


def changed(told):
    return {
        field["field"]: [part["text"] for part in field["parts"] if part["change"] != "same"]
        for field in told["fields"]
    }


async def test_the_newest_with_the_one_before_unless_others_are_named(desk, ada, note):
    answer = await desk.call(ada, "compare_revisions", object_id=note)
    assert (answer["before"]["revision"], answer["after"]["revision"]) == (2, 3)
    assert changed(answer) == {"title": ["Plan", "Plans"]}
    answer = await desk.call(ada, "compare_revisions", object_id=note, from_revision=1, to_revision=3)
    assert changed(answer) == {"title": ["Plan", "Plans"], "body": ["two", "zwei"]}
    assert answer["before"]["author"] == "Ada"


async def test_what_restoring_a_revision_changes_of_the_text_as_it_is_now(desk, ada, note):
    answer = await desk.call(ada, "compare_revisions", object_id=note, restored_revision=1)
    assert (answer["before"]["revision"], answer["after"]["revision"]) == (3, 1)
    assert changed(answer) == {"title": ["Plans", "Plan"], "body": ["zwei", "two"]}
    answer = await desk.call(ada, "compare_revisions", object_id=note, restored_revision=3)
    assert changed(answer) == {}
    with refused(NotFound):
        await desk.call(ada, "compare_revisions", object_id=note, restored_revision=4)


async def test_before_the_first_there_was_nothing(desk, ada, note):
    answer = await desk.call(ada, "compare_revisions", object_id=note, to_revision=1)
    assert answer["before"]["revision"] == 0
    assert changed(answer) == {"title": ["Plan"], "body": ["One two three"]}


async def test_a_draft_is_compared_before_it_is_saved(desk, ada, project):
    spec = await desk.call(ada, "create_spec", project_id="PEN", title="Sign in", results=["A", "B"])
    answer = await desk.call(ada, "compare_revisions", object_id=spec["pid"], draft={"results": "A\n\nC"})
    (results,) = answer["fields"]
    assert [(item["change"], item["parts"][0]["text"]) for item in results["items"]] == [
        ("same", "A"),
        ("removed", "B"),
        ("added", "C"),
    ]
    assert "after" not in answer
    with refused(BadField):
        await desk.call(ada, "compare_revisions", object_id=spec["pid"], draft={"colour": "red"})


async def test_a_goal_is_told_by_its_title(desk, ada, project):
    goal = await desk.call(ada, "create_goal", project_id="PEN", title="Fewer passwords")
    spec = await desk.call(ada, "create_spec", project_id="PEN", title="Sign in")
    await desk.call(ada, "update_spec", spec_id=spec["pid"], goal_id=goal["pid"])
    answer = await desk.call(ada, "compare_revisions", object_id=spec["pid"])
    assert changed(answer) == {"goalId": ["Fewer passwords"]}


@pytest.mark.parametrize("asked", [{"to_revision": 9}, {"from_revision": 3, "to_revision": 1}])
async def test_what_was_never_written_cannot_be_compared(desk, ada, note, asked):
    with refused(NotFound if "from_revision" not in asked else BadField):
        await desk.call(ada, "compare_revisions", object_id=note, **asked)
