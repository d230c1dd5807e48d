"""Documents and notes."""

import pytest

from pendesk.domain.errors import BadField, NotFound, RevisionConflict
from pendesk.domain.limits import PAGE_ROWS, TEXT_CHARS
from tests.events import events_of
from tests.refusals import refused

MARKDOWN = "# Title\n\n- one\n- *two*\n\n```python\nprint('<b>')\n```\n"


async def test_markdown_goes_in_and_comes_out_unchanged(desk, ada, project):
    document = await desk.call(ada, "create_document", project_id="PEN", title="Design", body=MARKDOWN)
    read = await desk.call(ada, "get_document", document_id=document["pid"])
    assert (read["body"], read["statusLine"], read["revision"]) == (MARKDOWN, "", 1)


async def test_a_document_stands_under_another_and_is_about_a_task(desk, ada, project):
    await desk.call(ada, "create_action", project_id="PEN", label="x")
    parent = await desk.call(ada, "create_document", project_id="PEN", title="All")
    child = await desk.call(
        ada, "create_document", project_id="PEN", title="Part", parent_id=parent["pid"], linked_task_id="PEN-1"
    )
    task = await desk.call(ada, "get_action", action_id="PEN-1")
    assert (child["parentId"], child["linkedTaskId"]) == (parent["pid"], task["pid"])


async def test_parents_and_tasks_of_other_projects_are_refused_by_name(desk, ada, project):
    await desk.call(ada, "create_project", name="Other", key="OTH")
    await desk.call(ada, "create_action", project_id="OTH", label="x")
    parent = await desk.call(ada, "create_document", project_id="OTH", title="All")
    for field, ident in (("parent_id", parent["pid"]), ("linked_task_id", "OTH-1")):
        with refused(BadField) as caught:
            await desk.call(ada, "create_document", project_id="PEN", title="Part", **{field: ident})
        assert caught.refusal.details["field"] == field


async def test_an_edit_changes_what_was_given(desk, ada, project):
    document = await desk.call(ada, "create_document", project_id="PEN", title="Design", body="Old")
    edited = await desk.call(ada, "update_document", document_id=document["pid"], status_line="In review")
    assert (edited["title"], edited["body"], edited["statusLine"]) == ("Design", "Old", "In review")
    emptied = await desk.call(ada, "update_document", document_id=document["pid"], body="", expected_revision=2)
    assert (emptied["body"], emptied["revision"]) == ("", 3)


async def test_nobody_overwrites_what_they_have_not_seen(desk, ada, grace, project):
    document = await desk.call(ada, "create_document", project_id="PEN", title="Design", body="Old")
    await desk.call(grace, "update_document", document_id=document["pid"], body="Hers", expected_revision=1)
    with refused(RevisionConflict) as caught:
        await desk.call(ada, "update_document", document_id=document["pid"], body="Mine", expected_revision=1)
    assert caught.refusal.details["changed"] == {"body": "Hers"}
    assert (await desk.call(ada, "get_document", document_id=document["pid"]))["body"] == "Hers"


@pytest.mark.parametrize("noun", ["document", "note"])
async def test_a_whole_text_is_replaced_only_with_its_revision(desk, ada, project, noun):
    pid = (await desk.call(ada, f"create_{noun}", project_id="PEN", title="Design", body="Old"))["pid"]
    with refused(BadField) as caught:
        await desk.call(ada, f"update_{noun}", **{f"{noun}_id": pid}, body="New")
    assert caught.refusal.details["field"] == "expected_revision"
    assert f"get_{noun}" in caught.refusal.message
    renamed = await desk.call(ada, f"update_{noun}", **{f"{noun}_id": pid}, title="Plan")
    assert (renamed["title"], renamed["body"]) == ("Plan", "Old")
    edited = await desk.call(ada, f"update_{noun}", **{f"{noun}_id": pid}, body="New", expected_revision=2)
    assert edited["body"] == "New"


async def test_the_log_has_a_long_text_cut_short(desk, ada, project):
    document = await desk.call(ada, "create_document", project_id="PEN", title="Design")
    await desk.call(ada, "update_document", document_id=document["pid"], body="x" * TEXT_CHARS, expected_revision=1)
    (event,) = await events_of(desk, ada, "document.edited")
    assert len(event["data"]["after"]["body"]) < 1000
    (stored,) = (await desk.call(ada, "list_revisions", object_id=document["pid"], revision=2))["revisions"]
    assert len(stored["content"]["body"]) == TEXT_CHARS


async def test_a_text_over_the_limit_is_refused_by_name(desk, ada, project):
    for name in ("create_document", "create_note"):
        with refused(BadField) as caught:
            await desk.call(ada, name, project_id="PEN", title="x", body="x" * (TEXT_CHARS + 1))
        assert caught.refusal.details["field"] == "body"


@pytest.mark.parametrize("noun", ["document", "note"])
async def test_they_are_listed_in_pages_without_bodies(desk, ada, project, noun):
    created = {
        (await desk.call(ada, f"create_{noun}", project_id="PEN", title="x", body="long"))["pid"]
        for _ in range(PAGE_ROWS + 1)
    }
    first = await desk.call(ada, f"list_{noun}s", project_id="PEN")
    rest = await desk.call(ada, f"list_{noun}s", project_id="PEN", cursor=first["nextCursor"])
    rows = first[f"{noun}s"] + rest[f"{noun}s"]
    assert {row["pid"] for row in rows} == created
    assert "body" not in rows[0]
    assert "nextCursor" not in rest


@pytest.mark.parametrize("noun", ["document", "note"])
async def test_what_is_not_there_is_not_found(desk, ada, project, noun):
    for ident in ("0190a000-0000-7000-8000-000000000000", "PEN-1", project["pid"]):
        for verb in ("get", "update"):
            with refused(NotFound):
                await desk.call(ada, f"{verb}_{noun}", **{f"{noun}_id": ident})


async def test_a_note_is_written_and_rewritten(desk, ada, project):
    note = await desk.call(ada, "create_note", project_id="PEN", title="Mind", body="The gap")
    edited = await desk.call(ada, "update_note", note_id=note["pid"], body="The step", expected_revision=1)
    assert await desk.call(ada, "get_note", note_id=note["pid"]) == edited
    assert (edited["title"], edited["body"], edited["revision"]) == ("Mind", "The step", 2)
    with refused(RevisionConflict):
        await desk.call(ada, "update_note", note_id=note["pid"], title="x", expected_revision=1)
