"""Whole projects as files over HTTP: by a signed-in person, never by a token."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from pendesk.domain.access import TOKEN_SCOPES
from pendesk.operations.exchange.load_sample import sample_project_path
from tests.domain.exchange.sample import SAMPLES
from tests.transports.served import serving

EXPORT, IMPORT = "/api/v1/projects/HRB/export", "/api/v1/projects/import"
SAMPLE = sample_project_path().read_bytes()


@pytest.fixture
async def served(tmp_path):
    """The owner is signed in."""
    async with serving(tmp_path, import_bytes=400_000) as served:
        path = await served.link()
        code = path.partition("code=")[2]
        assert (await served.http.post("/sign-in", data={"code": code})).status_code == 303
        yield served


def left(served):
    folder: Path = served.service.files.folder
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


async def test_in_and_out_again(served):
    told = await served.http.post(IMPORT, content=SAMPLE, params={"dry_run": "true"})
    assert (told.status_code, told.json()["dryRun"]) == (200, True)
    made = await served.http.post(IMPORT, content=SAMPLE)
    assert (made.status_code, made.json()["key"]) == (201, "HRB")
    answer = await served.http.get(EXPORT)
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''HRB.pendesk.jsonl"
    assert answer.content == SAMPLE
    assert left(served) == []


async def test_another_programs_files(served):
    content = (SAMPLES / "task_master.json").read_bytes()
    made = await served.http.post(IMPORT, content=content, params={"from": "taskmaster", "name": "Tides", "key": "TID"})
    assert (made.status_code, made.json()["name"], made.json()["counts"]["action"]) == (201, "Tides", 6)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted((SAMPLES / "backlog").rglob("*.*")):
            archive.write(path, path.relative_to(SAMPLES))
    made = await served.http.post(IMPORT, content=packed.getvalue(), params={"from": "backlog"})
    assert (made.status_code, made.json()["counts"]["action"]) == (201, 6)
    assert left(served) == []


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"from": "jira"}, "from"),
        ({"dry_run": "maybe"}, "dry_run"),
        ({"colour": "red"}, "colour"),
        ({"specs": "true"}, "specs"),
        ({"from": "github", "as_copy": "true"}, "as_copy"),
    ],
)
async def test_an_option_that_is_wrong_is_named(served, params, field):
    refused = await served.http.post(IMPORT, content=SAMPLE, params=params)
    assert (refused.status_code, refused.json()["error"]["field"]) == (422, field)


async def test_what_is_refused_leaves_no_file(served):
    refused = await served.http.post(IMPORT, content=SAMPLE[:-2])
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "bad_field")
    await served.http.post(IMPORT, content=SAMPLE)
    again = await served.http.post(IMPORT, content=SAMPLE)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "already_here")
    large = await served.http.post(IMPORT, content=SAMPLE * 3)
    assert large.status_code == 413
    assert left(served) == []


async def test_the_limit_of_other_routes_stays_as_it_was(served):
    body = json.dumps({"name": "x" * 1_100_000})
    refused = await served.http.post("/api/v1/projects", content=body, headers={"content-type": "application/json"})
    assert refused.status_code == 413


async def test_a_token_may_not(served):
    await served.http.post(IMPORT, content=SAMPLE)
    made = await served.service.dispatcher.call(
        served.owner, "create_token", {"name": "x", "scopes": sorted(TOKEN_SCOPES)}
    )
    headers = {"authorization": f"Bearer {made.token}"}
    for refused in (
        await served.http.get(EXPORT, headers=headers),
        await served.http.post(IMPORT, content=SAMPLE, headers=headers),
    ):
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "insufficient_scope")


async def test_another_sites_page_may_not(served):
    refused = await served.http.post(IMPORT, content=SAMPLE, headers={"sec-fetch-site": "cross-site"})
    assert refused.status_code == 403
