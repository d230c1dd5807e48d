import os
from contextlib import nullcontext

import pytest

from pendesk.domain.access import BUILDING_SCOPES, TOKEN_SCOPES
from pendesk.domain.errors import BadField, MissingScope, NotFound, RuleBroken
from pendesk.domain.limits import Limits
from pendesk.operations.attachments import check_file_room, sweep_files
from pendesk.operations.attachments.check_file_room import CheckFileRoom
from pendesk.operations.attachments.receipts import RECEIPT_US, make_signed_file_receipt
from pendesk.operations.attachments.sweep_files import GRACE_S
from pendesk.operations.dispatch import Dispatcher
from pendesk.operations.registry import OPERATIONS
from pendesk.store.files import Files
from tests.refusals import refused
from tests.workbench import drafted_spec


@pytest.fixture
def files(tmp_path):
    return Files(tmp_path / "attachments")


def upload(desk, actor, files, content=b"hello"):
    with files.start_upload(1000) as receiving:
        receiving.write(content)
        return make_signed_file_receipt(desk.installation, actor, receiving.save(), desk.clock())


async def put(desk, actor, spec_id, receipt, name="notes.txt"):
    return await desk.call(
        actor, "put_attachment", spec_pid=spec_id, name=name, media_type="text/plain", receipt=receipt
    )


async def test_an_uploaded_file_is_put_and_removed(desk, files):
    ada = await desk.person("Ada")
    work = await drafted_spec(desk, ada)
    made = await put(desk, ada, work.spec_id, upload(desk, ada, files))
    assert (made["name"], made["sizeBytes"], made["mediaType"]) == ("notes.txt", 5, "text/plain")
    assert (await desk.call(ada, "get_attachment_url", attachment_pid=made["pid"]))["url"].startswith("http://")
    await desk.call(ada, "remove_attachment", attachment_pid=made["pid"])
    for operation in ("get_attachment_url", "remove_attachment"):
        with refused(NotFound):
            await desk.call(ada, operation, attachment_pid=made["pid"])


async def test_a_receipt_is_good_for_its_uploader_once_and_not_for_long(desk, files):
    ada, bob = await desk.person("Ada"), await desk.person("Bob")
    work = await drafted_spec(desk, ada)
    receipt = upload(desk, ada, files)
    with refused(BadField):
        await put(desk, bob, work.spec_id, receipt)
    await put(desk, ada, work.spec_id, receipt)
    with refused(RuleBroken, "used"):
        await put(desk, ada, work.spec_id, receipt)
    late = upload(desk, ada, files)
    desk.clock.forward(RECEIPT_US)
    with refused(BadField):
        await put(desk, ada, work.spec_id, late)


async def test_a_forged_receipt_is_refused(desk, files):
    ada = await desk.person("Ada")
    work = await drafted_spec(desk, ada)
    key, size, *rest = upload(desk, ada, files).split(".")
    for forged in (".".join([key, "9" + size, *rest]), ".".join(["0" * 32, size, *rest]), key, "....", "", "é.é"):
        with refused(BadField):
            await put(desk, ada, work.spec_id, forged)


@pytest.mark.parametrize("name", ["", " ", "..", "../x", "a/b", "a\\b", "a\nb", "\x00"])
async def test_a_name_is_a_name_and_no_path(desk, files, name):
    ada = await desk.person("Ada")
    work = await drafted_spec(desk, ada)
    with refused(BadField):
        await put(desk, ada, work.spec_id, upload(desk, ada, files), name=name)


async def test_a_spec_that_is_not_there(desk, files):
    ada = await desk.person("Ada")
    with refused(NotFound):
        await put(desk, ada, "01890000-0000-7000-8000-000000000000", upload(desk, ada, files))


async def test_no_token_removes(desk, files):
    ada = await desk.person("Ada")
    work = await drafted_spec(desk, ada)
    made = await put(desk, ada, work.spec_id, upload(desk, ada, files))
    agent = ada._replace(scopes=ada.scopes - {"person"})
    with refused(MissingScope):
        await desk.call(agent, "remove_attachment", attachment_pid=made["pid"])


async def test_the_sweeper_keeps_what_is_attached_or_fresh(desk, files, tmp_path):
    ada = await desk.person("Ada")
    work = await drafted_spec(desk, ada)
    receipts = [upload(desk, ada, files, bytes([each])) for each in range(4)]
    kept, removed, orphan, fresh = (receipt.split(".")[0] for receipt in receipts)
    await put(desk, ada, work.spec_id, receipts[0])
    gone = await put(desk, ada, work.spec_id, receipts[1])
    await desk.call(ada, "remove_attachment", attachment_pid=gone["pid"])
    for key in (kept, removed, orphan):
        os.utime(tmp_path / "attachments" / key, (0, os.stat(tmp_path).st_mtime - GRACE_S - 10))
    dispatcher = Dispatcher(desk.store, [], desk.installation._replace(files=files))
    assert await dispatcher.call_as_server(sweep_files.OPERATION, None) == 2
    assert {entry.name for entry in (tmp_path / "attachments").iterdir()} == {kept, fresh}


async def test_a_file_of_a_document_is_for_readers_of_the_desk_and_goes_with_it(desk, files):
    ada = await desk.person("Ada")
    builder = await desk.person("Builder", scopes=BUILDING_SCOPES)
    project = await desk.call(ada, "create_project", name="Pendesk")
    document = await desk.call(ada, "create_document", project_id=project["pid"], title="Design")
    receipt = upload(desk, ada, files)
    made = await desk.call(ada, "put_attachment", document_id=document["pid"], name="shot.png", receipt=receipt)
    assert (made["documentId"], made["specPid"]) == (document["pid"], None)
    assert (await desk.call(ada, "get_attachment_url", attachment_pid=made["pid"]))["url"].startswith("http://")
    with refused(NotFound):
        await desk.call(builder, "get_attachment_url", attachment_pid=made["pid"])
    await desk.call(ada, "delete_document", document_id=document["pid"])
    with refused(NotFound):
        await desk.call(ada, "get_attachment_url", attachment_pid=made["pid"])


async def test_a_file_belongs_to_one_thing(desk, files):
    ada = await desk.person("Ada")
    work = await drafted_spec(desk, ada)
    document = await desk.call(ada, "create_document", project_id=work.project_id, title="Design")
    for home in ({}, {"spec_pid": work.spec_id, "document_id": document["pid"]}):
        with refused(BadField):
            await desk.call(ada, "put_attachment", name="x", receipt=upload(desk, ada, files), **home)


async def test_there_is_room_for_so_much_and_no_more(desk, files):
    ada = await desk.person("Ada")
    work = await drafted_spec(desk, ada)
    small = Limits(workspace_file_bytes=12, account_file_bytes=7)
    desk.dispatcher = Dispatcher(desk.store, OPERATIONS, desk.installation._replace(limits=small))
    created = await desk.call(ada, "create_token", name="CI", scopes=sorted(TOKEN_SCOPES))
    agent = ada._replace(via="rest", scopes=TOKEN_SCOPES, token_id=created["tokenId"])
    first = await put(desk, agent, work.spec_id, upload(desk, agent, files))
    with refused(RuleBroken) as caught:
        await put(desk, agent, work.spec_id, upload(desk, agent, files))
    assert (caught.refusal.code, caught.refusal.details["setting"]) == ("file_quota", "account_file_bytes")
    await put(desk, ada, work.spec_id, upload(desk, ada, files))
    with refused(RuleBroken) as caught:
        await put(desk, ada, work.spec_id, upload(desk, ada, files))
    assert (caught.refusal.details["setting"], caught.refusal.details["used"]) == ("workspace_file_bytes", 10)
    assert "Ask a person to remove some" in caught.refusal.message
    await desk.call(ada, "remove_attachment", attachment_pid=first["pid"])
    await put(desk, ada, work.spec_id, upload(desk, ada, files))
    for actor, size, fits in ((ada, 2, True), (ada, 3, False), (agent, 1, False)):
        with nullcontext() if fits else refused(RuleBroken):
            await desk.dispatcher.call_as_server(check_file_room.OPERATION, CheckFileRoom(actor, size))
    shown = await desk.call(ada, "get_usage")
    assert shown["workspaceFiles"] == {"usedBytes": 10, "limitBytes": 12}
