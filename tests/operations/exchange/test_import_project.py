"""What an import makes, what it leaves alone, and what it refuses: on both engines."""

import json
import os
import re

import pytest

from pendesk.clock import parse_iso_time_us
from pendesk.domain import limits
from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, Conflict, NotFound, RoleForbids
from pendesk.operations.attachments import sweep_files
from pendesk.operations.exchange.load_sample import sample_project_path
from pendesk.operations.exchange.staged_reader import StagedImportReader
from pendesk.store import people
from pendesk.store.portable import rows
from tests.callers import seal_log, verify_log
from tests.exchange import exported, folder_of, ids, import_file, lived_through, with_row
from tests.folding import check_fold
from tests.refusals import refused
from tests.workbench import next_door, published_spec

SAMPLE = sample_project_path().read_bytes()


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada", Role.OWNER)


@pytest.fixture
async def lived(desk):
    """The export of a project of another workspace, after the whole building loop."""
    other = await next_door(desk)
    eve, project = await lived_through(other)
    return await exported(other, eve, project)


async def test_the_sample_has_work_to_claim(desk, ada):
    imported = await import_file(desk, ada, SAMPLE, take_part=True)
    assert (imported["key"], imported["counts"]["action"], imported["namesOnly"]) == (
        "HRB",
        27,
        ["Harbour's author"],
    )
    specs = (await desk.call(ada, "list_available_specs"))["specs"]
    first = specs[0]["actions"][0]
    assert (await desk.call(ada, "claim_action", action_pid=first["pid"]))["status"] == "started"
    assert "HRB-1" in (await desk.call(ada, "get_action_brief", action_pid="HRB-1"))["action"]["refCode"]


async def test_what_was_imported_is_found_by_its_words_and_goes_on_counting(desk, ada):
    await import_file(desk, ada, SAMPLE)
    assert (await desk.call(ada, "search", query="status page"))["results"]
    imported = await desk.call(ada, "create_task", project_id="HRB", label="One more")
    assert imported["refCode"] == "HRB-28"


@pytest.fixture
async def fresh_ada(fresh, monkeypatch):
    """Of an empty database, for which every import is a large one."""
    monkeypatch.setattr(limits, "ANALYZED_IMPORT_ROWS", 1)
    return await (await fresh.open()).person("Ada", Role.OWNER)


async def rows_that_postgres_plans_for(desk):
    """Less than none: it has never looked."""
    sql = "SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE relname = 'actions'"
    row = await desk.store.read("", lambda tx: tx.one(sql)) if desk.store.engine == "postgres" else (27,)
    return row[0]


async def test_after_a_large_import_postgres_plans_for_what_is_there(fresh, fresh_ada):
    await import_file(fresh, fresh_ada, SAMPLE)
    assert await rows_that_postgres_plans_for(fresh) == 27


async def test_a_large_import_stands_where_the_figures_cannot_be_had(fresh, fresh_ada, monkeypatch, caplog):
    monkeypatch.setattr(StagedImportReader, "tables", lambda _staging: {"nowhere"})
    await import_file(fresh, fresh_ada, SAMPLE)
    assert ("statistics" in caplog.text) == (fresh.store.engine == "postgres")
    assert (await fresh.call(fresh_ada, "get_project", project_id="HRB"))["key"] == "HRB"


async def test_after_a_small_import_nothing_is_looked_at(fresh, fresh_ada, monkeypatch):
    monkeypatch.setattr(limits, "ANALYZED_IMPORT_ROWS", 10_000)
    await import_file(fresh, fresh_ada, SAMPLE)
    assert await rows_that_postgres_plans_for(fresh) == (-1 if fresh.store.engine == "postgres" else 27)


async def test_the_log_says_that_it_came_and_in_which_states_and_stays_sealed(desk, ada, lived):
    imported = await import_file(desk, ada, lived)
    events = (await desk.call(ada, "list_events"))["events"]
    assert [event["kind"] for event in events] == ["project.imported", "state.recorded"]
    assert events[0]["data"]["counts"] == imported["counts"]
    await seal_log(desk.store, b"a key")
    assert (await verify_log(desk.store, b"a key", desk.workspace)).findings == []


async def history(desk, actor, project):
    """Every page of it."""
    page = await desk.call(actor, "list_imported_events", project_id=project, limit=20)
    events = page["events"]
    while "nextCursor" in page:
        page = await desk.call(actor, "list_imported_events", project_id=project, after=page["nextCursor"], limit=20)
        events += page["events"]
    return events


async def test_history_is_kept_with_its_own_times(desk, ada, lived):
    desk.clock.forward(10**12)
    await import_file(desk, ada, lived)
    (project,) = ids(lived, "project")
    result = await history(desk, ada, project)
    events = [row["event"] for row in map(json.loads, lived.splitlines()) if "event" in row]
    assert [(parse_iso_time_us(event["at"]), event["kind"]) for event in result] == [
        (item["at"], item["kind"]) for item in events
    ]
    assert [event["seq"] for event in result] == list(range(1, len(result) + 1))


async def test_a_lease_does_not_come_alive_again(desk, ada, lived):
    await import_file(desk, ada, lived, take_part=True)
    (held,) = [
        row["action"] for row in map(json.loads, lived.splitlines()) if row.get("action", {}).get("ref_number") == 2
    ]
    assert held["state"] == "todo"
    assert (await desk.call(ada, "claim_action", action_pid=held["id"]))["claim"]["fence"] > held["fence"]


@pytest.mark.parametrize(("word", "change"), [("claim", {"state": "active"}), ("action", {"state": "in_progress"})])
async def test_a_file_that_says_so_is_refused(desk, ada, lived, word, change):
    spoiled, number = with_row(lived, word, change)
    with refused(BadField) as caught:
        await import_file(desk, ada, spoiled)
    assert caught.refusal.details["field"] == f"line {number}, {word}.state"


async def test_what_a_person_decided_about_what_was_dropped_goes_with_the_project(desk, ada):
    work = await published_spec(desk, ada, actions=4)
    for first, after in ((1, 2), (3, 4)):
        ends = {"from_task_id": f"PEN-{first}", "to_task_id": f"PEN-{after}"}
        await desk.call(ada, "create_edge", project_id="PEN", **ends)
    drop = {"state": "wont_do", "reason": "Not needed."}
    await desk.call(ada, "update_action", action_id="PEN-1", release_dependents=True, **drop)
    await desk.call(ada, "update_action", action_id="PEN-3", **drop)
    await import_file(desk, ada, await exported(desk, ada, work.project_id), as_copy=True)
    actions = [await desk.call(ada, "get_action", action_id=ref) for ref in ("PEN-1", "PEN2-1", "PEN2-3")]
    assert actions[0]["dropAcceptedAt"] == actions[1]["dropAcceptedAt"] is not None
    assert actions[2]["dropAcceptedAt"] is None
    assert await undecided_refs(desk, ada) == {"PEN-3", "PEN2-3"}
    await check_fold(desk)


async def test_a_file_without_the_decision_is_from_before_and_nobody_has_decided(desk, ada):
    work = await published_spec(desk, ada, chain=True)
    drop = {"state": "wont_do", "reason": "Not needed.", "release_dependents": True}
    await desk.call(ada, "update_action", action_id="PEN-1", **drop)
    lines = (await exported(desk, ada, work.project_id)).splitlines()
    older = [re.sub(rb',"drop_accepted_(at|by)":("[^"]*"|[0-9]+)', b"", line) for line in lines]
    assert older != lines
    await import_file(desk, ada, b"\n".join(older), as_copy=True)
    assert await undecided_refs(desk, ada) == {"PEN2-1"}


async def undecided_refs(desk, person):
    inbox = await desk.call(person, "get_inbox", kind="dropped")
    return {item["refCode"] for item in inbox["items"]}


async def test_a_decision_about_what_is_not_dropped_is_refused(desk, ada, lived):
    spoiled, number = with_row(lived, "action", {"drop_accepted_at": 5})
    with refused(BadField) as caught:
        await import_file(desk, ada, spoiled)
    assert caught.refusal.details["field"] == f"line {number}, action.drop_accepted_at"


# People


async def test_people_are_matched_by_id_or_address_and_others_are_names(desk, ada, lived):
    (email,) = [
        row["person"]["email"]
        for row in map(json.loads, lived.splitlines())
        if row.get("person", {}).get("name") == "Ada"
    ]
    user = await desk.store.read("", lambda tx: people.user(tx, ada.user_id))
    mine = lived.replace(email.encode(), user.email.upper().encode())
    imported = await import_file(desk, ada, mine)
    assert imported["namesOnly"] == ["Robo"]
    runs = await desk.call(ada, "get_spec_draft", spec_id=ids(lived, "spec")[0])
    assert {person["userId"]: person["name"] for person in runs["participants"]}[ada.user_id] == "Ada"
    members = (await desk.call(ada, "list_members"))["members"]
    assert [member["name"] for member in members] == ["Ada"]


async def test_nobody_who_came_with_a_file_can_be_let_in(desk, ada, lived):
    await import_file(desk, ada, lived)
    result = await exported(desk, ada, ids(lived, "project")[0])
    for row in map(json.loads, result.splitlines()):
        if "person" in row:
            user = await desk.store.read("", lambda tx, row=row: people.user(tx, row["person"]["id"]))
            assert user.password_hash is None
            assert user.email is None
            assert (
                await desk.store.read(desk.workspace, lambda tx, row=row: people.member(tx, row["person"]["id"]))
                is None
            )
            with refused(NotFound):
                await desk.call(ada, "create_sign_in_link", user_pid=row["person"]["id"])
            with refused(NotFound):
                await desk.call(ada, "change_role", user_pid=row["person"]["id"], role="owner")


async def test_a_user_of_another_workspace_is_not_recognised(desk, ada):
    """Else a file with a stranger's id would tell their name."""
    stranger = await (await next_door(desk)).person("Stranger")
    author = ids(SAMPLE, "person")[0]
    await import_file(desk, ada, SAMPLE.replace(author.encode(), stranger.user_id.encode()))
    result = await exported(desk, ada, "HRB")
    assert stranger.user_id.encode() not in result
    assert b"Stranger" not in result


# Twice


async def test_the_same_project_twice_is_refused(desk, ada):
    await import_file(desk, ada, SAMPLE)
    with refused(Conflict, "already_here", "HRB, Harbour", "--as-copy"):
        await import_file(desk, ada, SAMPLE)


async def test_as_a_copy_it_has_new_ids_and_everything_else(desk, ada):
    await import_file(desk, ada, SAMPLE)
    imported = await import_file(desk, ada, SAMPLE, as_copy=True)
    assert (imported["key"], imported["name"]) == ("HRB2", "Harbour (copy)")
    first, second = await exported(desk, ada, "HRB"), await exported(desk, ada, "HRB2")
    for word in ("spec", "action", "criterion", "edge", "build"):
        assert len(ids(first, word)) == len(ids(second, word))
        assert not set(ids(first, word)) & set(ids(second, word))
    renamed = dict(zip(ids(first, "action"), ids(second, "action"), strict=True))
    edges = [row["edge"] for row in map(json.loads, first.splitlines()) if "edge" in row]
    copied = [row["edge"] for row in map(json.loads, second.splitlines()) if "edge" in row]
    assert [renamed[edge["from_action_id"]] for edge in edges] == [edge["from_action_id"] for edge in copied]


async def test_another_project_with_its_key_is_in_the_way(desk, ada):
    await desk.call(ada, "create_project", name="Mine", key="HRB")
    with refused(Conflict, "key_taken", "--key"):
        await import_file(desk, ada, SAMPLE)
    imported = await import_file(desk, ada, SAMPLE, key="HAR", name="Theirs")
    assert (imported["key"], imported["name"]) == ("HAR", "Theirs")


async def test_one_row_that_is_here_already_is_told(desk, ada):
    await import_file(desk, ada, SAMPLE)
    project = ids(SAMPLE, "project")[0]
    other = SAMPLE.replace(project.encode(), b"01a1df42-6dee-792f-8ef7-000000000000")
    with refused(Conflict, "already_here", "goal"):
        await import_file(desk, ada, other, key="OTH")


async def test_next_door_it_is_another_project(desk, ada):
    await import_file(desk, ada, SAMPLE)
    other = await next_door(desk)
    eve = await other.person("Eve", Role.ADMIN)
    assert (await import_file(other, eve, SAMPLE))["pid"] == ids(SAMPLE, "project")[0]


# Who may


async def test_admins_import_and_members_export(desk, ada):
    bob, viewer = await desk.person("Bob"), await desk.person("Val", Role.VIEWER)
    before = folder_of(desk)
    with refused(RoleForbids):
        await import_file(desk, bob, SAMPLE)
    assert folder_of(desk) == before
    await import_file(desk, ada, SAMPLE)
    await exported(desk, bob, "HRB")
    with refused(RoleForbids):
        await exported(desk, viewer, "HRB")


# All or nothing


async def test_a_dry_run_tells_all_and_changes_nothing(desk, ada):
    before = folder_of(desk)
    result = await import_file(desk, ada, SAMPLE, dry_run=True)
    assert (result["dryRun"], result["counts"]["action"], result["key"]) == (True, 27, "HRB")
    assert (await desk.call(ada, "list_projects"))["projects"] == []
    assert (await desk.call(ada, "list_events"))["events"] == []
    assert folder_of(desk) == before
    await import_file(desk, ada, SAMPLE)
    with refused(Conflict, "already_here"):
        await import_file(desk, ada, SAMPLE, dry_run=True)


@pytest.mark.parametrize("after", [0, 1, 50, 100])
async def test_a_fault_in_the_middle_leaves_nothing(desk, ada, lived, monkeypatch, after):
    before = folder_of(desk)
    added = rows.add
    left = [after]

    def failing(tx, table, row):
        if left[0] == 0:
            raise Conflict("The disk is on fire.")
        left[0] -= 1
        added(tx, table, row)

    monkeypatch.setattr(rows, "add", failing)
    try:
        with refused(Conflict, "conflict", "on fire"):
            await import_file(desk, ada, lived)
    finally:
        monkeypatch.undo()
    assert (await desk.call(ada, "list_projects"))["projects"] == []
    assert (await desk.call(ada, "list_events"))["events"] == []
    assert folder_of(desk) == before
    await import_file(desk, ada, lived)


async def test_what_a_killed_import_left_on_the_disk_is_swept(desk, ada):
    with desk.installation.files.start_upload(100) as upload:
        upload.write(b"staged and then killed")
        left = upload.save().key
    os.utime(desk.installation.files.folder / left, (1, 1))
    await desk.dispatcher.call_as_server(sweep_files.OPERATION, None)
    assert left not in folder_of(desk)


# Files that are odd, and fine


async def test_a_parent_may_stand_after_its_child(desk, ada):
    first, two = ids(SAMPLE, "document")[:2]
    turned, _ = with_row(SAMPLE, "document", {"parent_id": two})
    turned, _ = with_row(turned, "document", {"parent_id": None}, which=1)
    await import_file(desk, ada, turned)
    assert (await desk.call(ada, "get_document", document_id=first))["parentId"] == two


async def test_windows_line_ends_and_a_byte_order_mark_are_read(desk, ada):
    await import_file(desk, ada, b"\xef\xbb\xbf" + SAMPLE.replace(b"\n", b"\r\n"))
    result = await exported(desk, ada, "HRB")
    # Another workspace of this installation may have the author already, and ids of people are the installation's.
    assert result.replace(ids(result, "person")[0].encode(), ids(SAMPLE, "person")[0].encode()) == SAMPLE


async def test_an_attachment_without_its_bytes_is_told(desk, ada, lived):
    lines = lived.splitlines()
    stored = [line for line in lines if not line.startswith(b'{"bytes"')]
    stored[-1] = json.dumps({"end": {"lines": len(stored)}}).encode()
    imported = await import_file(desk, ada, b"\n".join(stored))
    assert ["sketch.png" in warning for warning in imported["warnings"]] == [True]


async def test_an_imported_project_can_be_deleted_and_imported_again(desk, ada, lived):
    (project,) = ids(lived, "project")
    await import_file(desk, ada, lived)
    await desk.call(ada, "update_project", project_id=project, state="archived")
    await desk.call(ada, "delete_project", project_id=project)
    assert (await desk.call(ada, "list_projects"))["projects"] == []
    assert (await import_file(desk, ada, lived))["pid"] == project


async def test_what_is_left_of_deleted_things_does_not_keep_a_project_here(desk, elsewhere):
    ada, project = await lived_through(desk)
    task = await desk.call(ada, "create_task", project_id=project, label="Shared, then deleted")
    await desk.call(ada, "create_share", project_id=project, action_id=task["pid"])
    await desk.call(ada, "delete_action", action_id=task["pid"])
    eve = await elsewhere.person("Eve", Role.OWNER)
    result = await exported(desk, ada, project)
    await import_file(elsewhere, eve, result)
    assert await exported(elsewhere, eve, project) == result


async def test_an_address_that_misleads_is_left_out_with_a_warning(desk, ada, lived):
    changed, line = with_row(lived, "submission", {"pr_url": "https://github.com@evil.test/pull/1"})
    changed, other = with_row(changed, "project", {"repository_url": "https://me:secret@git.example.com/a/b"})
    imported = await import_file(desk, ada, changed)
    assert imported["warnings"] == [
        f"line {number}: {field} is not a plain address, and was left out."
        for number, field in sorted([(line, "submission.pr_url"), (other, "project.repository_url")])
    ]
    assert b"evil.test" not in await exported(desk, ada, imported["pid"])


async def test_what_no_person_would_see_is_removed_and_told(desk, ada, lived):
    hidden = "\u202e\U000e0041"
    spoiled, line = with_row(lived, "action", {"label": f"Sign{hidden} in"})
    spoiled, spec_line = with_row(spoiled, "spec", {"results": [f"One{hidden}"]})
    spoiled, _ = with_row(spoiled, "document", {"body": f"One{hidden}\n\nTwo"})
    spoiled, _ = with_row(spoiled, "comment", {"passage_start": 7})
    imported = await import_file(desk, ada, spoiled)
    assert f"line {line}: action.label had hidden characters, which were removed." in imported["warnings"]
    assert f"line {spec_line}: spec.results had hidden characters, which were removed." in imported["warnings"]
    labels = [task["label"] for task in (await desk.call(ada, "list_tasks", project_id=imported["key"]))["tasks"]]
    assert "Sign in" in labels
    specs = (await desk.call(ada, "list_specs", project_id=imported["key"]))["specs"]
    drafts = [await desk.call(ada, "get_spec_draft", spec_id=spec["pid"]) for spec in specs]
    assert ["One"] in [draft["results"] for draft in drafts]
    comments = await desk.call(ada, "list_comments", project_id=imported["key"], include_resolved=True)
    assert comments["comments"][0]["passageStart"] == 5
