import pytest

from pendesk.ids import new_id
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from tests.desk import TestDesk
from tests.workbench import drafted_spec


@pytest.fixture
async def attachment(served):
    """An attachment of the owner's: its pid and its link."""
    desk = TestDesk.__new__(TestDesk)
    desk.dispatcher = served.service.dispatcher
    work = await drafted_spec(desk, served.owner)
    with served.service.files.start_upload(1_000_000) as upload:
        upload.write(b"<script>alert(1)</script>" * 20_000)
        received = upload.save()
    now = await served.service.dispatcher.store.read("", lambda tx: tx.now)
    receipt = make_signed_file_receipt(served.service.installation, served.owner, received, now)
    asked = {"spec_pid": work.spec_id, "name": 'ä "x".html', "media_type": "text/html", "receipt": receipt}
    made = await served.service.dispatcher.call(served.owner, "put_attachment", asked)
    got = await served.service.dispatcher.call(served.owner, "get_attachment_url", {"attachment_pid": made.pid})
    return made.pid, got.url


async def test_it_is_served_as_a_download_that_nothing_runs(served, attachment):
    _pid, url = attachment
    answer = await served.http.get(url)
    assert answer.status_code == 200
    assert answer.content == b"<script>alert(1)</script>" * 20_000
    assert answer.headers["content-length"] == "500000"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''%C3%A4%20%22x%22.html"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("sandbox")
    assert (await served.http.head(url)).headers["content-length"] == "500000"
    assert (await served.http.post(url)).status_code == 405


async def test_forged_expired_and_removed_links_look_alike(served, attachment, monkeypatch):
    pid, url = attachment
    path, _, query = url.partition("?")
    by, expires, signature = (part.partition("=")[2] for part in query.split("&"))
    expires = f"{expires}&by={by}"
    other = path.replace(pid, new_id())
    bodies = set()
    for bad in (
        path,
        f"{path}?expires={expires}",
        f"{path}?expires=1{expires}&signature={signature}",
        f"{path}?by={by}&expires=never&signature={signature}",
        f"{path}?expires={expires}&signature={signature[:-1]}0" + ("0" if signature.endswith("0") else ""),
        f"{path}?expires={expires}&signature=%ff%c3",
        f"{path}?expires={expires.partition('&')[0]}&signature={signature}",
        f"{path}?expires={expires}0&signature={signature}",
        f"{other}?expires={expires}&signature={signature}",
        f"{path.replace(served.owner.workspace_id, new_id())}?expires={expires}&signature={signature}",
    ):
        answer = await served.http.get(bad)
        assert answer.status_code == 404
        bodies.add(answer.text)
    clock = served.service.dispatcher.store._clock
    monkeypatch.setattr(served.service.dispatcher.store, "_clock", lambda: clock() + 31 * 60 * 1_000_000)
    bodies.add((await served.http.get(url)).text)
    monkeypatch.undo()
    await served.service.dispatcher.call(served.owner, "remove_attachment", {"attachment_pid": pid})
    bodies.add((await served.http.get(url)).text)
    assert len(bodies) == 1


async def test_lost_bytes_are_not_found(served, attachment, tmp_path):
    for file in (tmp_path / "data" / "attachments").iterdir():
        file.unlink()
    assert (await served.http.get(attachment[1])).status_code == 404
