"""An old text comes back."""

import pytest

from pendesk.domain.errors import NotFound, RevisionConflict, RuleBroken
from tests.refusals import refused
from tests.workbench import drafted_spec


async def test_a_spec_comes_back_with_all_its_parts(desk, ada):
    work = await drafted_spec(desk, ada)
    before = await desk.call(ada, "get_spec_draft", spec_id=work.spec_id)
    await desk.call(ada, "update_spec", spec_id=work.spec_id, title="X", summary="", results=[], boundaries=["Y"])
    revision = await desk.call(ada, "restore_revision", object_id=work.spec_id, revision=1, expected_revision=2)
    assert revision == {"pid": work.spec_id, "revision": 3}
    after = await desk.call(ada, "get_spec_draft", spec_id=work.spec_id)
    for part in ("title", "summary", "results", "conditions", "boundaries", "goalId"):
        assert after[part] == before[part]


@pytest.mark.parametrize("noun", ["document", "note"])
async def test_a_text_comes_back_and_what_stood_there_stays_in_the_history(desk, ada, project, noun):
    result = await desk.call(ada, f"create_{noun}", project_id="PEN", title="T", body="old")
    await desk.call(ada, f"update_{noun}", **{f"{noun}_id": result["pid"]}, body="new", expected_revision=1)
    await desk.call(ada, "restore_revision", object_id=result["pid"], revision=1)
    assert (await desk.call(ada, f"get_{noun}", **{f"{noun}_id": result["pid"]}))["body"] == "old"
    page = await desk.call(ada, "list_revisions", object_id=result["pid"], revision=2)
    assert page["revisions"][0]["content"]["body"] == "new"


async def test_a_plan_comes_back(desk, ada):
    work = await drafted_spec(desk, ada)
    await desk.call(ada, "update_plan", plan_id=work.plan_id, approach="Otherwise.")
    await desk.call(ada, "restore_revision", object_id=work.plan_id, revision=1)
    (plan,) = (await desk.call(ada, "get_spec_draft", spec_id=work.spec_id))["plans"]
    assert plan["approach"] == "Begin with the form."


async def test_what_someone_else_wrote_meanwhile_is_not_overwritten(desk, ada, project):
    note = await desk.call(ada, "create_note", project_id="PEN", title="T", body="1")
    await desk.call(ada, "update_note", note_id=note["pid"], body="2", expected_revision=1)
    with refused(RevisionConflict):
        await desk.call(ada, "restore_revision", object_id=note["pid"], revision=1, expected_revision=1)


async def test_an_action_is_edited_by_hand(desk, ada):
    work = await drafted_spec(desk, ada)
    with refused(RuleBroken, "not_restorable"):
        await desk.call(ada, "restore_revision", object_id=work.actions[0]["pid"], revision=1)
    with refused(NotFound):
        await desk.call(ada, "restore_revision", object_id=work.spec_id, revision=7)
