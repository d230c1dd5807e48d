"""A file is read and checked before any transaction begins. Whatever is wrong is told by line and field."""

import io
import json
import os

import pytest

from pendesk.domain.errors import BadField, RuleBroken, TooLarge
from pendesk.domain.limits import IMPORT_LINE_BYTES
from pendesk.operations.exchange import consistency_checks, jsonl_reader
from pendesk.operations.exchange.load_sample import sample_project_path
from pendesk.operations.exchange.staging import stage_import_from_export
from pendesk.store.files import Files
from tests.exchange import ids, with_line, with_row
from tests.refusals import refused

SAMPLE = sample_project_path().read_bytes()
NOBODY = "00000000-0000-7000-8000-000000000000"


@pytest.fixture
def files(tmp_path):
    return Files(tmp_path / "files")


def stage(files, told, **options):
    values = {"as_copy": False, "keep_attachments": True, "max_attachment_bytes": 100_000, **options}
    return stage_import_from_export(files, io.BytesIO(told), **values)


def with_attachment(chunk):
    """The sample with an attachment of seven bytes."""
    lines = SAMPLE.splitlines()
    row: dict[str, str | int] = {
        "id": NOBODY,
        "spec_id": ids(SAMPLE, "spec")[0],
        "name": "a.txt",
        "media_type": "text/plain",
    }
    row |= {"size_bytes": 7, "sha256": "239f59ed55e737c77147cf55ad0c1b030b6d7ee748a7426952f9b852d5a935e5"}
    row |= {"added_by": ids(SAMPLE, "person")[0], "added_at": 1}
    lines[-1:] = [json.dumps({"attachment": row}).encode(), chunk]
    return b"\n".join([*lines, json.dumps({"end": {"lines": len(lines) + 1}}).encode()])


@pytest.mark.parametrize(
    ("spoil", "place", "words"),
    [
        (lambda item: b"", "line 1, end", "cut off"),
        (lambda entry: b"not json\n" + entry, "line 1", "not an export"),
        (lambda value: value.replace(b'"version":1', b'"version":2', 1), "line 1, version", "newer"),
        (lambda element: element.replace(b'"format":"pendesk"', b'"format":"other"', 1), "line 1, format", "'other'"),
        (lambda told: told[: len(told) // 2].rpartition(b"\n")[0], "end", "cut off"),
        (lambda told: with_line(told, 239, None), "end.lines", "lost or added"),
        (lambda told: told + told.splitlines()[2], "line", "after the end"),
        (lambda told: with_line(told, 4, b'{"goal":'), "line 4", "not a line"),
        (lambda told: with_line(told, 4, b"[1]"), "line 4", "not a line"),
        (lambda told: with_line(told, 4, b'{"gaol":{}}'), "line 4, gaol", "not a kind"),
        (lambda told: with_line(told, 4, b'{"goal":{},"spec":{}}'), "line 4", "2 names"),
        (lambda told: with_line(told, 4, b'{"goal":' + b"[" * 100_000), "line 4", "not a line"),
        (lambda told: told.replace(b'"Know about', b'"\xffKnow about', 1), "line 4, goal", "not valid JSON"),
        (
            lambda told: told.replace(b'"results":["With', b'"results":["\xffWith', 1),
            "line 7, spec.results",
            "not valid",
        ),
        (lambda told: with_line(told, 4, b'{"x":"' + b"y" * IMPORT_LINE_BYTES + b'"}'), "line 4", "longer"),
        (lambda told: with_line(told, 4, b'{"bytes":"eHg="}'), "line 4, bytes", "no attachment"),
        (lambda told: with_line(told, 3, told.splitlines()[1]), "line 3, person.id", "twice"),
        (lambda told: with_line(told, 4, told.splitlines()[2]), "line 4, project", "second"),
        (lambda told: with_line(told, 2, told.splitlines()[3]), "line 2, goal", "before the project"),
        (lambda told: with_line(told, 5, told.splitlines()[3]), "line 5, goal.id", "twice"),
        (lambda told: with_line(told, 14, told.splitlines()[3]), "goal", "too late"),
        (lambda told: with_row(told, "goal", {"title": ""})[0], "line 4, goal.title", "empty"),
        (lambda told: with_row(told, "goal", {"title": "a\u0000b"})[0], "line 4, goal.title", "control"),
        (lambda told: with_row(told, "goal", {"colour": "red"})[0], "line 4, goal.colour", "not known"),
        (lambda told: with_row(told, "goal", {"position": -1})[0], "line 4, goal.position", ">= 0"),
        (lambda told: with_row(told, "goal", {"position": 10**30})[0], "line 4, goal", ""),
        (lambda told: with_row(told, "goal", {"id": "../../etc/passwd"})[0], "line 4, goal.id", "form"),
        (
            lambda told: with_row(told, "goal", {"created_by": NOBODY})[0],
            "created_by",
            "not in this file",
        ),
        (
            lambda told: with_row(told, "criterion", {"action_id": NOBODY})[0],
            "action_id",
            "not in this file",
        ),
        (lambda told: with_row(told, "action", {"ref_number": 999})[0], "action.ref_number", "last_ref"),
        (lambda told: with_row(told, "action", {"ref_number": 2})[0], "action.ref_number", "twice"),
        (lambda told: with_row(told, "build", {"snapshot": {"spec": {}}})[0], "build.snapshot", "required"),
        (lambda told: with_row(told, "build", {"number": 7})[0], "build.number", "beyond"),
        (lambda told: with_row(told, "spec", {"results": [1]})[0], "spec.results", "text"),
        (lambda told: with_row(told, "action", {"x": float("inf")})[0], "line 15", "not a line"),
    ],
)
def test_a_file_that_is_wrong_is_refused_by_line_and_field(files, spoil, place, words):
    with refused(BadField) as caught:
        stage(files, spoil(SAMPLE))
    assert place in caught.refusal.details["field"]
    assert words in caught.refusal.message
    assert len(caught.refusal.message) < 500
    assert os.listdir(files.folder) == []


def test_an_event_is_only_so_long(files):
    """A page of the timeline shows a hundred of them."""
    lines = SAMPLE.splitlines()
    row = {"at": 1, "kind": "a.b", "door": "web", "object_id": NOBODY, "data": {"text": "a" * 100_000}}
    lines[-1:] = [json.dumps({"event": row}).encode(), json.dumps({"end": {"lines": len(lines) + 1}}).encode()]
    with refused(BadField, None, "event.data", "100000 characters"):
        stage(files, b"\n".join(lines))


def test_people_have_a_limit(files, monkeypatch):
    monkeypatch.setattr(consistency_checks, "IMPORT_PEOPLE", 0)
    with refused(BadField, None, "0 people is the limit"):
        stage(files, SAMPLE)


def test_a_circle_is_named(files):
    edges = [row["edge"] for row in map(json.loads, SAMPLE.splitlines()) if "edge" in row]
    first = edges[0]
    spoiled, _ = with_row(
        SAMPLE,
        "edge",
        {"from_action_id": first["to_action_id"], "to_action_id": first["from_action_id"]},
        which=1,
    )
    with refused(RuleBroken, "cycle") as caught:
        stage(files, spoiled)
    assert caught.refusal.details["cycle"][0].startswith("HRB-")
    assert caught.refusal.details["cycle"][0] == caught.refusal.details["cycle"][-1]


def test_documents_that_contain_each_other_are_refused(files):
    first, two = ids(SAMPLE, "document")[:2]
    spoiled, _ = with_row(SAMPLE, "document", {"parent_id": two})
    spoiled, _ = with_row(spoiled, "document", {"parent_id": first}, which=1)
    with refused(RuleBroken, "cycle"):
        stage(files, spoiled)


PAYLOAD = b'{"bytes":"cGF5bG9hZA=="}'


def test_bytes_are_put_on_the_disk(files):
    staged = stage(files, with_attachment(b'{"bytes":"cGF5bG9hZA=="}'))
    (key,) = staged.keys
    assert (files.folder / key).read_bytes() == b"payload"
    assert sorted(os.listdir(files.folder)) == sorted([key, staged.received.key])


def test_for_a_dry_run_they_are_only_checked(files):
    staged = stage(files, with_attachment(PAYLOAD), keep_attachments=False)
    assert (staged.keys, os.listdir(files.folder)) == ([], [staged.received.key])
    with refused(BadField, "bad_field", "does not fit"):
        stage(files, with_attachment(b'{"bytes":"eHg="}'), keep_attachments=False)


@pytest.mark.parametrize(
    ("chunk", "kind", "word"),
    [
        (b'{"bytes":"eHg="}', BadField, "does not fit"),
        (b'{"bytes":"e~g="}', BadField, "base64"),
        (b'{"bytes":"' + b"AAAA" * 50_000 + b'"}', TooLarge, "100000"),
        (b'{"bytes":7}', BadField, "text"),
    ],
)
def test_bytes_that_are_wrong_leave_nothing_behind(files, chunk, kind, word):
    with refused(kind, None, word):
        stage(files, with_attachment(chunk))
    assert os.listdir(files.folder) == []


def test_there_is_a_limit_on_lines(files, monkeypatch):
    monkeypatch.setattr(jsonl_reader, "IMPORT_ROWS", 5)
    with refused(BadField, "bad_field", "line 6", "one too many"):
        stage(files, SAMPLE)


def test_it_tells_how_far_it_is(files):
    items: list[int] = []
    stage(files, SAMPLE, progress=items.append)
    assert items
    assert items == sorted(items)
    assert items[-1] <= len(SAMPLE)
