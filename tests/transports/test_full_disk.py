"""A disk that takes no file: who sends or wants one is told so, nothing is left of it, and the server goes on."""

import errno
import os
import shutil
from contextlib import contextmanager

import pytest

from pendesk.operations.exchange.load_sample import sample_project_path
from pendesk.store import files as store_files
from pendesk.transports import health
from tests.desk import HandClock, TestDesk
from tests.transports.served import serving
from tests.workbench import drafted_spec

SAMPLE = sample_project_path().read_bytes()
BYTES = b"x" * 600_000  # more than is kept back before it is written


@contextmanager
def failing(name, number):
    """A call of the operating system fails, as it would on such a disk."""
    real = getattr(os, name)

    def fail(*args, **options):
        path = str(args[0])
        if name == "open" and store_files._DRAFT not in path:
            return real(*args, **options)
        raise OSError(number, os.strerror(number), path)

    setattr(os, name, fail)
    try:
        yield
    finally:
        setattr(os, name, real)


@contextmanager
def full():
    """What is written to a file goes to the device that is always full."""
    real = os.open

    def to_full(path, *args, **options):
        if store_files._DRAFT not in str(path):
            return real(path, *args, **options)
        os.close(real(path, *args, **options))
        return real("/dev/full", os.O_WRONLY)

    os.open = to_full
    try:
        yield
    finally:
        os.open = real


FAULTS = {
    "full": (full, "No space left on device"),
    "full as it is named": (lambda: failing("rename", errno.ENOSPC), "No space left on device"),
    "quota": (lambda: failing("open", errno.EDQUOT), "Disk quota exceeded"),
    "read-only": (lambda: failing("open", errno.EROFS), "Read-only file system"),
    "rights": (lambda: failing("open", errno.EACCES), "Permission denied"),
    "broken": (lambda: failing("fsync", errno.EIO), "Input/output error"),
}


@pytest.fixture
async def served(tmp_path):
    """The owner is signed in."""
    async with serving(tmp_path / "data") as served:
        code = (await served.link()).partition("code=")[2]
        assert (await served.http.post("/sign-in", data={"code": code})).status_code == 303
        yield served


@pytest.fixture
async def requests(served):
    """Everything that writes a file: the name of each, and what sends it."""
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.installation, desk.dispatcher, desk.workspace = (
        served.service.installation,
        served.service.dispatcher,
        served.owner.workspace_id,
    )
    work = await drafted_spec(desk, served.owner)
    project = (await served.http.get("/api/v1/projects")).json()["projects"][0]["key"]
    document = (await served.call("create_document", project_id=project, title="A page")).pid
    http, files = served.http, {"file": ("chart.png", BYTES, "image/png")}
    spec, page = {"spec_pid": work.spec_id, "name": "chart.png"}, {"document_id": document, "name": "chart.png"}
    return {
        "attachment": lambda: http.post("/api/v1/attachments", params=spec, content=BYTES),
        "attachment by form": lambda: http.post("/api/v1/attachments", data=spec, files=files),
        "file of a document": lambda: http.post("/api/v1/attachments", data=page, files=files),
        "import": lambda: http.post(
            "/api/v1/projects/import", content=SAMPLE, params={"as_copy": "true", "key": "CPY"}
        ),
        "import by form": lambda: http.post(
            "/api/v1/projects/import", data={"dry_run": "true"}, files={"file": ("a.jsonl", SAMPLE)}
        ),
        "sample": lambda: http.post("/api/v1/projects/sample"),
        "export": lambda: http.get(f"/api/v1/projects/{project}/export"),
    }


def left(served):
    folder = served.service.files.folder
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


async def check(served, requests, caplog, reason, health=503):
    before = left(served)
    for name, send in requests.items():
        caplog.clear()
        answer = await send()
        assert (name, answer.status_code) == (name, 503)
        told = answer.json()["error"]
        assert told["code"] == "unavailable"
        assert reason in told["message"]
        assert "Nothing was changed" in told["message"]
        assert str(served.service.settings.data) not in told["message"]
        warned = [record for record in caplog.records if record.levelname != "INFO"]
        assert [(record.exc_info, reason in record.getMessage()) for record in warned] == [(None, True)]
    answer = await served.http.get("/api/v1/health")
    assert (answer.status_code, left(served)) == (health, before)
    assert health == 200 or "cannot write to its data folder" in answer.json()["error"]["message"]


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_disk_that_takes_no_file(served, requests, caplog, fault):
    broken, reason = FAULTS[fault]
    caplog.set_level("INFO", "pendesk")
    with broken():
        # Health gives nothing a name.
        await check(served, requests, caplog, reason, 200 if "named" in fault else 503)
    for name, send in requests.items():
        assert (name, (await send()).status_code < 300) == (name, True)


async def test_a_data_folder_that_is_gone(served, requests, caplog):
    data = served.service.settings.data
    data.rename(data.with_name("elsewhere"))
    answers = [await send() for send in requests.values()]
    data.with_name("elsewhere").rename(data)
    assert [answer.status_code for answer in answers] == [503] * len(answers)
    # Who sends an attachment is told of the database, which is asked for room first.
    reasons = {name: answer.json()["error"]["message"] for name, answer in zip(requests, answers, strict=True)}
    assert "No such file or directory" in reasons["import"]
    assert "Traceback" not in caplog.text
    assert (await requests["attachment"]()).status_code == 201


async def test_a_file_that_cannot_be_removed_costs_no_answer(served, requests, caplog):
    """The import stands; the sweeper finds what is left."""
    with failing("unlink", errno.EROFS):
        assert (await requests["import"]()).status_code == 201
    assert "Read-only file system" in caplog.text
    assert "Traceback" not in caplog.text


async def test_a_file_that_cannot_be_read_is_not_said_to_be_missing(served, requests, monkeypatch):
    made = (await requests["attachment"]()).json()
    link = (await served.http.get(f"/api/v1/attachments/{made['pid']}/url")).json()["url"]
    real = os.open

    def unreadable(path, *args, **options):
        if str(path).startswith(str(served.service.files.folder)):
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return real(path, *args, **options)

    monkeypatch.setattr(os, "open", unreadable)
    refused = await served.http.get(link)
    assert refused.status_code == 503
    assert "Input/output error" in refused.json()["error"]["message"]
    monkeypatch.undo()
    shutil.rmtree(served.service.files.folder)
    assert (await served.http.get(link)).status_code == 404


async def test_health_wants_room_for_a_few_requests_and_leaves_nothing(served, monkeypatch):
    """A small row may still find its place in a log that is there already, when nothing else does."""

    def almost_full(_handle, _offset, size):
        if size > 1_000_000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = left(served), sorted(os.listdir(served.service.settings.data))
    monkeypatch.setattr(os, "posix_fallocate", almost_full)
    answer = await served.http.get("/api/v1/health")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
    assert "No space left on device" in answer.json()["error"]["message"]
    monkeypatch.undo()
    monkeypatch.setattr(health, "FRESH_S", 0)
    assert (await served.http.get("/api/v1/health")).status_code == 200
    assert (left(served), sorted(os.listdir(served.service.settings.data))) == before
