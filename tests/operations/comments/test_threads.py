"""Threads on actions and specs: who says what, who may change it, and what is left of what was deleted."""

import pytest

from pendesk.domain.access import TOKEN_SCOPES, Role
from pendesk.domain.errors import BadField, NotFound, RoleForbids
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import drafted_spec, next_door


@pytest.fixture
async def work(desk, ada):
    return await drafted_spec(desk, ada)


async def thread(desk, who, work, ident):
    asked = {"project_id": work.project_id, "document_id": ident, "include_resolved": True}
    return (await desk.call(who, "list_comments", **asked))["comments"]


async def test_an_action_is_commented_on_by_its_ref_and_a_spec_by_its_pid(desk, ada, grace, work):
    action = work.actions[0]
    on_action = await desk.call(grace, "add_comment", document_id=action["refCode"], body="Is *that* all?")
    on_spec = await desk.call(grace, "add_comment", document_id=work.spec_id, body="Who needs it?")
    assert (on_action["on"], on_action["documentId"], on_action["refCode"]) == (
        "action",
        action["pid"],
        action["refCode"],
    )
    assert (on_spec["on"], on_spec["documentId"]) == ("spec", work.spec_id)
    assert [row["pid"] for row in await thread(desk, ada, work, action["pid"])] == [on_action["pid"]]
    assert [row["pid"] for row in await thread(desk, ada, work, work.spec_id)] == [on_spec["pid"]]
    everywhere = (await desk.call(ada, "list_comments", project_id=work.project_id))["comments"]
    assert [row["pid"] for row in everywhere] == [on_action["pid"], on_spec["pid"]]


async def test_a_spec_and_a_document_are_named_by_their_refs_too(desk, ada, work):
    document = await desk.call(ada, "create_document", project_id=work.project_id, title="Design")
    spec = await desk.call(ada, "get_spec_draft", spec_id=work.spec_id)
    for ref, pid in ((spec["refCode"], work.spec_id), (document["refCode"], document["pid"])):
        assert (await desk.call(ada, "add_comment", document_id=ref, body="Why?"))["documentId"] == pid
    assert (await desk.call(ada, "list_watchers", object_id=spec["refCode"]))["objectId"] == work.spec_id


async def test_the_log_says_what_was_commented_on(desk, ada, work):
    action = work.actions[0]
    await desk.call(ada, "add_comment", document_id=action["pid"], body="Why?")
    await desk.call(ada, "add_comment", document_id=work.spec_id, body="Why?")
    first, second = await events_of(desk, ada, "comment.added")
    assert (first["actionId"], first["specId"], first["data"]["on"]) == (action["pid"], work.spec_id, "action")
    assert (second.get("actionId"), second["specId"], second["data"]["on"]) == (None, work.spec_id, "spec")
    rows = (await desk.call(ada, "get_timeline", action_pid=action["pid"]))["events"]
    assert f"commented on {action['refCode']}" in [row["deed"] for row in rows]


async def test_a_passage_is_for_documents(desk, ada, work):
    with refused(BadField) as caught:
        await desk.call(ada, "add_comment", document_id=work.spec_id, body="Why?", passage="password")
    assert caught.refusal.details["field"] == "passage"


async def test_one_edits_what_one_wrote_oneself(desk, ada, grace, work):
    mine = await desk.call(grace, "add_comment", document_id=work.spec_id, body="Teh form?")
    edited = await desk.call(grace, "update_comment", comment_id=mine["pid"], body="The form?")
    assert (edited["untrusted"]["body"], edited["mayEdit"], "editedAt" in edited) == ("The form?", True, True)
    with refused(RoleForbids):
        await desk.call(ada, "update_comment", comment_id=mine["pid"], body="Mine now")
    (event,) = await events_of(desk, ada, "comment.edited")
    assert (event["specId"], event["data"]["body"]) == (work.spec_id, "The form?")


async def test_the_same_words_again_are_no_edit(desk, ada, work):
    mine = await desk.call(ada, "add_comment", document_id=work.spec_id, body="Why?")
    again = await desk.call(ada, "update_comment", comment_id=mine["pid"], body="Why?")
    assert "editedAt" not in again
    assert await events_of(desk, ada, "comment.edited") == []


async def test_what_was_deleted_leaves_that_it_was_there(desk, ada, grace, work):
    mine = await desk.call(grace, "add_comment", document_id=work.spec_id, body="A secret")
    await desk.call(ada, "add_comment", document_id=work.spec_id, body="Which?")
    await desk.call(grace, "delete_comment", comment_id=mine["pid"])
    gone, answer = await thread(desk, ada, work, work.spec_id)
    assert (gone["untrusted"]["body"], gone["author"], gone["deletedBy"]) == ("", "Grace", "Grace")
    assert answer["untrusted"]["body"] == "Which?"
    for operation, more in (("update_comment", {"body": "Back"}), ("delete_comment", {}), ("resolve_comment", {})):
        with refused(NotFound):
            await desk.call(grace, operation, comment_id=mine["pid"], **more)
    open_ones = (await desk.call(ada, "list_comments", project_id=work.project_id))["comments"]
    assert [row["pid"] for row in open_ones] == [answer["pid"]]


async def test_an_agents_comment_names_the_agent_and_nobody_edits_it(desk, ada, terminal, work):
    agent = terminal(process="1")._replace(scopes=TOKEN_SCOPES)
    said = await desk.call(agent, "add_comment", document_id=work.actions[0]["refCode"], body="Done so far: 2 of 3.")
    assert said["author"] == "Ada"
    (row,) = await thread(desk, ada, work, work.actions[0]["pid"])
    assert row["agent"] == "Claude Code on ada-laptop"
    assert ("mayEdit" in row, row["mayDelete"]) == (False, True)
    with refused(RoleForbids):
        await desk.call(ada, "update_comment", comment_id=said["pid"], body="Done.")


async def test_viewers_read_and_do_not_write(desk, ada, work):
    viewer = await desk.person("Vic", Role.VIEWER)
    said = await desk.call(ada, "add_comment", document_id=work.spec_id, body="Why?")
    (row,) = await thread(desk, viewer, work, work.spec_id)
    assert (row["pid"], "mayEdit" in row, "mayDelete" in row) == (said["pid"], False, False)
    with refused(RoleForbids):
        await desk.call(viewer, "add_comment", document_id=work.spec_id, body="Me too")


async def test_next_door_there_is_nothing(desk, ada, work):
    said = await desk.call(ada, "add_comment", document_id=work.spec_id, body="Why?")
    neighbour = await next_door(desk)
    nina = await neighbour.person("Nina")
    for operation, arguments in (
        ("add_comment", {"document_id": work.spec_id, "body": "x"}),
        ("add_comment", {"document_id": work.actions[0]["pid"], "body": "x"}),
        ("update_comment", {"comment_id": said["pid"], "body": "x"}),
    ):
        with refused(NotFound):
            await neighbour.call(nina, operation, **arguments)


async def test_comments_go_with_what_they_are_on(desk, ada, work):
    await desk.call(ada, "add_comment", document_id=work.actions[0]["pid"], body="Why?")
    await desk.call(ada, "add_comment", document_id=work.spec_id, body="Why?")
    await desk.call(ada, "delete_action", action_id=work.actions[0]["pid"])
    await desk.call(ada, "delete_spec", spec_id=work.spec_id)
    assert (await desk.call(ada, "list_comments", project_id=work.project_id))["comments"] == []
