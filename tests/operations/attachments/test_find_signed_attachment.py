"""The link of an attachment: good as it was signed, until it expires."""

from urllib.parse import parse_qs, urlsplit

import pytest

from pendesk.domain.access import BUILDING_SCOPES, Role
from pendesk.ids import new_id
from pendesk.operations.attachments import find_signed_attachment
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from pendesk.operations.attachments.signed_url import SignedLink
from pendesk.store import tokens
from tests.callers import end_session, find_session, start_session
from tests.workbench import published_spec


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada", Role.OWNER)


@pytest.fixture
async def link(desk, ada):
    work = await published_spec(desk, ada)
    with desk.installation.files.start_upload(100) as upload:
        upload.write(b"bytes")
        received = upload.save()
    receipt = make_signed_file_receipt(desk.installation, ada, received, desk.clock())
    attachment = await desk.call(ada, "put_attachment", spec_pid=work.spec_id, name="a.txt", receipt=receipt)
    return await link_for(desk, ada, attachment["pid"])


async def link_for(desk, actor, attachment_pid):
    url = (await desk.call(actor, "get_attachment_url", attachment_pid=attachment_pid))["url"]
    query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    return SignedLink(desk.workspace, attachment_pid, **query)


async def find(desk, link):
    return await desk.dispatcher.call_by_secret(find_signed_attachment.OPERATION, link)


async def test_it_is_found_until_the_link_expires(desk, link):
    assert (await find(desk, link)).id == link.attachment_id
    desk.clock.forward(int(link.expires) - desk.clock() - 1)
    assert await find(desk, link) is not None
    desk.clock.forward(1)
    assert await find(desk, link) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"signature": "x"},
        {"attachment_id": new_id()},
        {"workspace_id": new_id()},
        {"expires": "9" * 16},
        {"by": f"user.{new_id()}"},
        {"by": ""},
    ],
)
async def test_a_link_that_was_changed_opens_nothing(desk, link, changes):
    assert await find(desk, link._replace(**changes)) is None


async def test_a_member_who_was_removed_takes_no_link_along(desk, ada, link):
    grace = await desk.person("Grace")
    hers = await link_for(desk, grace, link.attachment_id)
    assert await find(desk, hers) is not None
    await desk.call(ada, "remove_member", user_pid=grace.user_id)
    assert await find(desk, hers) is None
    assert await find(desk, link) is not None


async def test_nor_does_a_token_that_was_revoked(desk, ada, link):
    created = await desk.call(ada, "create_token", name="CI")
    agent = ada._replace(via="mcp", scopes=BUILDING_SCOPES, token_id=created["tokenId"])
    of_agent = await link_for(desk, agent, link.attachment_id)
    assert await find(desk, of_agent) is not None
    await desk.store.write(desk.workspace, lambda tx: tokens.revoke(tx, created["tokenId"]))
    assert await find(desk, of_agent) is None


async def test_nor_a_browser_that_signed_out(desk, ada, link):
    code = (await desk.call(ada, "create_sign_in_link"))["url"].partition("code=")[2]
    secret = await start_session(desk.dispatcher, code)
    assert secret is not None
    of_browser = await link_for(desk, await find_session(desk.dispatcher, secret), link.attachment_id)
    assert await find(desk, of_browser) is not None
    await end_session(desk.dispatcher, secret)
    assert await find(desk, of_browser) is None
