"""Refs of specs, documents and notes: one number after the other, and accepted wherever a pid is."""

import asyncio

import pytest

from pendesk.domain.errors import NotFound
from tests.refusals import refused
from tests.workbench import published_spec

KINDS = {
    "S": ("create_spec", "get_spec_draft", "spec_id", "delete_spec"),
    "D": ("create_document", "get_document", "document_id", "delete_document"),
    "N": ("create_note", "get_note", "note_id", "delete_note"),
}


@pytest.mark.parametrize("letter", KINDS)
async def test_each_kind_counts_by_itself_and_a_number_is_not_given_twice(desk, ada, project, letter):
    create, read, field, delete = KINDS[letter]
    first, second = [await desk.call(ada, create, project_id="PEN", title=title) for title in ("One", "Two")]
    assert (first["refCode"], second["refCode"]) == (f"PEN-{letter}1", f"PEN-{letter}2")
    assert (await desk.call(ada, read, **{field: f"pen-{letter}2".lower()}))["pid"] == second["pid"]
    await desk.call(ada, delete, **{field: f"PEN-{letter}2"})
    third = await desk.call(ada, create, project_id="PEN", title="Three")
    assert third["refCode"] == f"PEN-{letter}3"
    with refused(NotFound):
        await desk.call(ada, read, **{field: f"PEN-{letter}2"})


async def test_a_ref_of_another_kind_leads_nowhere(desk, ada, project):
    await desk.call(ada, "create_note", project_id="PEN", title="One")
    for ident in ("PEN-N1", "PEN-S1", "PEN-1", "PEN-S0", "OTH-D1"):
        with refused(NotFound):
            await desk.call(ada, "get_document", document_id=ident)


async def test_agents_read_a_published_spec_by_its_ref(desk, ada):
    work = await published_spec(desk, ada)
    spec = await desk.call(ada, "get_spec", spec_pid="PEN-S1")
    assert spec["pid"] == work.spec_id


async def test_revisions_are_read_and_restored_by_ref(desk, ada, project):
    note = await desk.call(ada, "create_note", project_id="PEN", title="One", body="a")
    await desk.call(ada, "update_note", note_id="PEN-N1", title="Two")
    assert len((await desk.call(ada, "list_revisions", object_id="PEN-N1"))["revisions"]) == 2
    await desk.call(ada, "restore_revision", object_id="PEN-N1", revision=1)
    assert (await desk.call(ada, "get_note", note_id=note["pid"]))["title"] == "One"


async def test_lists_and_search_name_them_to_people(desk, ada, project):
    await desk.call(ada, "create_spec", project_id="PEN", title="Tides")
    await desk.call(ada, "create_document", project_id="PEN", title="Tides, at length")
    await desk.call(ada, "create_note", project_id="PEN", title="Tides, again")
    for name, rows in (("list_specs", "specs"), ("list_documents", "documents"), ("list_notes", "notes")):
        listed = await desk.call(ada, name, project_id="PEN")
        assert listed[rows][0]["refCode"] == f"PEN-{rows[0].upper()}1"
    hits = (await desk.call(ada, "search", query="tides"))["results"]
    assert {hit["refCode"] for hit in hits} == {"PEN-S1", "PEN-D1", "PEN-N1"}


@pytest.mark.parametrize("letter", KINDS)
async def test_those_who_create_at_once_get_a_number_each(desk, ada, project, letter):
    create = KINDS[letter][0]
    creating = [desk.call(ada, create, project_id="PEN", title=f"Title {number}") for number in range(8)]
    numbers = {each["refCode"] for each in await asyncio.gather(*creating)}
    assert numbers == {f"PEN-{letter}{number}" for number in range(1, 9)}
