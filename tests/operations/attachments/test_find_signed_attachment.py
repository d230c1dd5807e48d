"""The link of an attachment: good as it was signed, until it expires."""

from urllib.parse import parse_qs, urlsplit

import pytest

from pendesk.ids import new_id
from pendesk.operations.attachments import find_signed_attachment
from pendesk.operations.attachments.find_signed_attachment import FindSignedAttachment
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from tests.desk import MINUTE
from tests.workbench import published_spec


@pytest.fixture
async def link(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada)
    with desk.installation.files.start_upload(100) as upload:
        upload.write(b"bytes")
        received = upload.save()
    receipt = make_signed_file_receipt(desk.installation, ada, received, desk.clock())
    attachment = await desk.call(ada, "put_attachment", spec_pid=work.spec_id, name="a.txt", receipt=receipt)
    address = urlsplit((await desk.call(ada, "get_attachment_url", attachment_pid=attachment["pid"]))["url"])
    query = parse_qs(address.query)
    return FindSignedAttachment(desk.workspace, attachment["pid"], query["expires"][0], query["signature"][0])


async def find(desk, link):
    return await desk.dispatcher.call_by_secret(find_signed_attachment.OPERATION, link)


async def test_it_is_found_until_the_link_expires(desk, link):
    assert (await find(desk, link)).id == link.attachment_id
    desk.clock.forward(24 * 60 * MINUTE)
    assert await find(desk, link) is None


@pytest.mark.parametrize(
    "changes", [{"signature": "x"}, {"attachment_id": new_id()}, {"workspace_id": new_id()}, {"expires": "9" * 16}]
)
async def test_a_link_that_was_changed_opens_nothing(desk, link, changes):
    assert await find(desk, link._replace(**changes)) is None
