"""Attachments in a brief come with their links."""

import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from pendesk.operations.attachments.signed_url import SignedLink
from pendesk.store.files import Files
from tests.callers import by_secret
from tests.desk import MINUTE
from tests.workbench import drafted_spec


@pytest.fixture
async def work(desk, ada, tmp_path):
    work = await drafted_spec(desk, ada)
    with Files(tmp_path / "attachments").start_upload(1000) as upload:
        upload.write(b"hello")
        receipt = make_signed_file_receipt(desk.installation, ada, upload.save(), desk.clock())
    about = {"spec_pid": work.spec_id, "name": "notes.txt", "media_type": "text/plain", "receipt": receipt}
    await desk.call(ada, "put_attachment", **about)
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    return work


async def brief_of(desk, actor, work):
    return await desk.call(actor, "get_action_brief", action_pid=work.actions[0]["pid"])


async def is_good(desk, url):
    path, _, query = url.removeprefix(desk.installation.public_url).partition("?")
    by, expires, signature = (part.partition("=")[2] for part in query.split("&"))
    _, _, workspace, attachment = path.split("/")
    link = SignedLink(workspace, attachment, by, expires, signature)
    return await by_secret(desk.dispatcher, "find_signed_attachment", link) is not None


async def test_each_has_a_link_that_works_for_half_an_hour(desk, ada, work):
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    brief = await brief_of(desk, ada, work)
    (attachment,) = brief["spec"]["attachments"]
    assert attachment["url"].startswith("http://127.0.0.1:3847/attachments/")
    link = await desk.call(ada, "get_attachment_url", attachment_pid=attachment["pid"])
    assert (attachment["url"], attachment["expiresAt"]) == (link["url"], link["expiresAt"])
    desk.clock.forward(29 * MINUTE)
    assert await is_good(desk, attachment["url"])
    later = await brief_of(desk, ada, work)
    assert later["briefRev"] == brief["briefRev"]
    assert later["spec"]["attachments"][0]["url"] != attachment["url"]
    desk.clock.forward(2 * MINUTE)
    assert not await is_good(desk, attachment["url"])


async def test_one_that_was_removed_since_has_none(desk, ada, work):
    (attachment,) = (await brief_of(desk, ada, work))["spec"]["attachments"]
    await desk.call(ada, "remove_attachment", attachment_pid=attachment["pid"])
    (removed,) = (await brief_of(desk, ada, work))["spec"]["attachments"]
    assert (removed["name"], "url" in removed) == ("notes.txt", False)


async def test_a_holder_who_takes_no_part_any_more_gets_no_link(desk, ada, work):
    grace = (await desk.person("Grace"))._replace(scopes=BUILDING_SCOPES)
    await desk.call(ada, "add_participant", spec_id=work.spec_id, user_id=grace.user_id)
    await desk.call(grace, "claim_action", action_pid=work.actions[0]["pid"])
    assert "url" in (await brief_of(desk, grace, work))["spec"]["attachments"][0]
    await desk.call(ada, "remove_participant", spec_id=work.spec_id, user_id=grace.user_id)
    assert "url" not in (await brief_of(desk, grace, work))["spec"]["attachments"][0]
