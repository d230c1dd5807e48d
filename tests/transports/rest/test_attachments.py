"""A file as the body of a request: to the disk as it comes, then part of its spec."""

import hashlib
import os

import pytest

from pendesk.domain.access import TOKEN_SCOPES, Role
from pendesk.domain.limits import Limits
from tests.desk import TestDesk
from tests.diffs import modified, packed
from tests.transports.served import serving
from tests.workbench import drafted_spec, published_spec

PATH = "/api/v1/attachments"


def kept(served):
    folder = served.service.settings.data / "attachments"
    return sorted(os.listdir(folder)) if folder.exists() else []


async def test_a_file_becomes_an_attachment_and_comes_back_whole(served, caller):
    _, query = caller
    content = os.urandom(3_000_000)
    answer = await served.http.post(PATH, params=query, content=content, headers={"content-type": "image/png"})
    body = answer.json()
    assert (answer.status_code, body["mediaType"], body["sizeBytes"]) == (201, "image/png", 3_000_000)
    assert body["sha256"] == hashlib.sha256(content).hexdigest()
    assert answer.headers["location"] == f"{PATH}/{body['pid']}"
    link = (await served.http.get(f"{PATH}/{body['pid']}/url")).json()["url"]
    assert (await served.http.get(link)).content == content


async def test_it_may_be_sent_in_pieces_of_unknown_number(served, caller):
    _, query = caller

    async def pieces():
        for _ in range(20):
            yield b"x" * 100_000

    answer = await served.http.post(PATH, params=query, content=pieces())
    assert (answer.status_code, answer.json()["sizeBytes"]) == (201, 2_000_000)


async def test_a_repeat_with_the_same_key_attaches_once(served, caller):
    _, query = caller
    sent = {"params": query, "content": b"the same", "headers": {"idempotency-key": "k1"}}
    first, second = [await served.http.post(PATH, **sent) for _ in range(2)]
    assert first.json() == second.json()
    other = await served.http.post(PATH, **{**sent, "content": b"another"})
    assert (other.status_code, other.json()["error"]["code"]) == (422, "idempotency_key_reused")


@pytest.mark.parametrize("declared", [True, False])
async def test_a_file_beyond_the_limit_is_413_and_leaves_nothing(served, caller, declared):
    _, query = caller
    limit = Limits().attachment_bytes
    content = b"x" * (limit + 1)

    async def pieces():
        for start in range(0, len(content), 1_000_000):
            yield content[start : start + 1_000_000]

    answer = await served.http.post(PATH, params=query, content=content if declared else pieces())
    assert answer.status_code == 413
    assert kept(served) == []


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"spec_pid": "01a1ded5-0000-7000-8000-000000000000"}, 404),
        ({"name": "../../etc/passwd"}, 422),
        ({"name": ""}, 422),
        ({"media_type": "nonsense"}, 422),
        ({"colour": "red"}, 422),
        ({"receipt": "mine"}, 422),
    ],
)
async def test_what_is_wrong_is_told(served, caller, wrong, status):
    _, query = caller
    answer = await served.http.post(PATH, params={**query, **wrong}, content=b"x")
    assert answer.status_code == status
    assert kept(served) == []


async def test_what_does_not_fit_the_quota_is_refused_before_it_is_taken_in(tmp_path):
    async with serving(tmp_path / "data", workspace_file_bytes=3_000, account_file_bytes=2_000) as served:
        desk = TestDesk.__new__(TestDesk)
        desk.dispatcher = served.service.dispatcher
        query = {"spec_pid": (await drafted_spec(desk, served.owner)).spec_id, "name": "a.txt"}
        created = await desk.call(served.owner, "create_token", name="x", scopes=sorted(TOKEN_SCOPES))
        served.http.headers["authorization"] = f"Bearer {created['token']}"
        sizes = [1_500, 600, 500]
        answers = [await served.http.post(PATH, params=query, content=b"x" * size) for size in sizes]
        assert [answer.status_code for answer in answers] == [201, 422, 201]
        error = answers[1].json()["error"]
        assert (error["code"], error["setting"], error["used"]) == ("file_quota", "account_file_bytes", 1_500)
        assert len(kept(served)) == 2
        assert (await served.call("get_usage")).workspace_files.used_bytes == 2_000
        pid = answers[0].json()["pid"]
        await served.call("remove_attachment", attachment_pid=pid)
        assert (await served.http.post(PATH, params=query, content=b"x" * 600)).status_code == 201


async def test_who_may_not_attach_is_refused_before_the_file_is_taken_in(served, caller):
    desk, query = caller
    viewer = await desk.person("Vera", Role.VIEWER)
    token = await desk.call(viewer, "create_token", name="x", scopes=sorted(TOKEN_SCOPES))
    headers = {"authorization": f"Bearer {token['token']}"}
    assert (await served.http.post(PATH, params=query, content=b"x", headers=headers)).status_code == 403
    assert kept(served) == []


async def test_a_log_becomes_evidence_of_a_criterion_and_is_served_like_every_file(served, caller):
    desk, query = caller
    work = await published_spec(desk, served.owner, actions=1)
    action = work.actions[0]
    path = f"/api/v1/actions/{action['refCode']}/criteria/{action['criteria'][0]}/attachments"
    unclaimed = await served.http.post(path, params={"name": "run.log"}, content=b"12 passed")
    assert unclaimed.status_code == 422
    await served.http.post(f"/api/v1/actions/{action['refCode']}/claim", json={})
    form = {"file": ("run.log", b"12 passed", "text/plain")}
    answer = await served.http.post(path, files=form)
    body = answer.json()
    assert (answer.status_code, body["criterionId"]) == (201, action["criteria"][0])
    assert answer.headers["location"] == f"{PATH}/{body['pid']}"
    link = (await served.http.get(f"{PATH}/{body['pid']}/url")).json()["url"]
    file = await served.http.get(link)
    assert (file.content, file.headers["content-disposition"][:10]) == (b"12 passed", "attachment")
    assert file.headers["x-content-type-options"] == "nosniff"
    elsewhere = path.replace(action["criteria"][0], query["spec_pid"])
    assert (await served.http.post(elsewhere, files=form)).status_code == 422


async def test_a_change_comes_the_same_way_and_its_operation_gets_no_more_than_it_takes(served, caller):
    desk, _ = caller
    work = await published_spec(desk, served.owner, actions=1)
    path = f"/api/v1/actions/{work.actions[0]['refCode']}"
    await served.http.post(f"{path}/claim", json={})
    content = packed(modified("a.py"))
    form = {"file": ("change.gz", content, "application/gzip")}
    for sent in ({"files": form}, {"content": content, "headers": {"content-type": "application/gzip"}}):
        answer = await served.http.post(f"{path}/change", **sent)
        assert (answer.status_code, answer.json()["files"]) == (200, 1)
    named = await served.http.post(f"{path}/change", params={"name": "change.gz"}, content=content)
    assert (named.status_code, named.json()["error"]["field"]) == (422, "name")
