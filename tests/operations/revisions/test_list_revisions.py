"""Every text as it was."""

import pytest

from pendesk.domain.errors import NotFound
from pendesk.domain.limits import REVISIONS_PER_PAGE
from tests.refusals import refused


async def test_an_action_is_named_by_its_ref_code_and_its_criteria_are_part_of_its_text(desk, ada, project):
    await desk.call(ada, "create_action", project_id="PEN", label="x", criteria=["One"])
    await desk.call(ada, "create_criterion", action_id="PEN-1", text="Two")
    rows = (await desk.call(ada, "list_revisions", object_id="PEN-1"))["revisions"]
    assert (rows[0]["revision"], rows[0]["fields"]) == (2, ["action.criteria"])
    (first,) = (await desk.call(ada, "list_revisions", object_id="PEN-1", revision=1))["revisions"]
    assert [criterion["text"] for criterion in first["content"]["action.criteria"]] == ["One"]


async def test_revisions_come_in_pages(desk, ada, project):
    note = await desk.call(ada, "create_note", project_id="PEN", title="x")
    for number in range(REVISIONS_PER_PAGE):
        await desk.call(ada, "update_note", note_id=note["pid"], body=str(number), expected_revision=number + 1)
    first = await desk.call(ada, "list_revisions", object_id=note["pid"])
    rest = await desk.call(ada, "list_revisions", object_id=note["pid"], cursor=first["nextCursor"])
    numbers = [revision["revision"] for revision in first["revisions"] + rest["revisions"]]
    assert numbers == list(range(REVISIONS_PER_PAGE + 1, 0, -1))
    assert all(item["fields"] == ["body"] for item in first["revisions"])
    assert "nextCursor" not in rest


@pytest.mark.parametrize("more", [{"revision": 9}, {}])
async def test_what_was_never_written_is_not_found(desk, ada, project, more):
    note = await desk.call(ada, "create_note", project_id="PEN", title="x")
    ident = note["pid"] if more else "PEN-1"
    with refused(NotFound):
        await desk.call(ada, "list_revisions", object_id=ident, **more)
