"""Making, listing, changing and removing webhooks; what is kept of their deliveries."""

import json

import pytest

from pendesk.domain import limits
from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, NotFound, RoleForbids, RuleBroken
from pendesk.transports.fetch import Fetcher, is_public_https, is_public_https_or_private
from pendesk.transports.http_outbound import HttpOutbound
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import next_door, published_spec

SECRET_PART = "no-hexadecimal-digits"
URL = f"https://hooks.example.com/services/T0/B0/{SECRET_PART}"


async def admin_of(desk):
    return await desk.person("Ada", Role.ADMIN)


async def test_the_secret_is_shown_once_and_lies_nowhere(desk):
    admin = await admin_of(desk)
    made = await desk.call(admin, "create_webhook", url=URL)
    hook = made["webhook"]
    assert made["secret"].startswith("whsec_")
    assert (hook["state"], hook["format"], hook["kinds"]) == ("active", "json", [])
    listed = await desk.call(admin, "list_webhooks")
    assert listed["webhooks"] == [hook]
    assert made["secret"] not in json.dumps(listed)
    (event,) = await events_of(desk, admin, "outgoing_webhook.created")
    assert event["objectId"] == hook["webhookId"]
    # The address of a chat's webhook is a secret itself.
    assert SECRET_PART not in json.dumps(event)


async def test_a_new_secret_is_another_one(desk):
    admin = await admin_of(desk)
    made = await desk.call(admin, "create_webhook", url=URL)
    webhook_id = made["webhook"]["webhookId"]
    renewed = await desk.call(admin, "update_webhook", webhook_id=webhook_id, new_secret=True)
    assert renewed["secret"] not in (None, made["secret"])
    assert "secret" not in await desk.call(admin, "update_webhook", webhook_id=webhook_id, state="paused")


async def test_every_part_can_be_changed(desk):
    admin = await admin_of(desk)
    work = await published_spec(desk, admin)
    webhook_id = (await desk.call(admin, "create_webhook", url=URL))["webhook"]["webhookId"]
    new = {"url": "https://other.example/x", "format": "slack", "kinds": ["action"], "state": "paused"}
    changed = await desk.call(admin, "update_webhook", webhook_id=webhook_id, project_id=work.project_id, **new)
    assert {name: changed["webhook"][name] for name in new} == new
    assert changed["webhook"]["projectId"] == work.project_id
    everywhere = await desk.call(admin, "update_webhook", webhook_id=webhook_id, project_id="")
    assert everywhere["webhook"]["projectId"] is None
    events = await events_of(desk, admin, "outgoing_webhook.edited")
    assert {"url", "format", "kinds", "state", "project_id"} <= set(events[0]["data"]["changed"])


async def test_what_is_removed_is_gone(desk):
    admin = await admin_of(desk)
    webhook_id = (await desk.call(admin, "create_webhook", url=URL))["webhook"]["webhookId"]
    await desk.call(admin, "test_webhook", webhook_id=webhook_id)
    assert (await desk.call(admin, "remove_webhook", webhook_id=webhook_id))["removed"]
    assert (await desk.call(admin, "list_webhooks"))["webhooks"] == []
    with refused(NotFound):
        await desk.call(admin, "remove_webhook", webhook_id=webhook_id)


async def test_only_admins_and_only_their_own_workspace(desk):
    admin, member = await admin_of(desk), await desk.person("Grace")
    webhook_id = (await desk.call(admin, "create_webhook", url=URL))["webhook"]["webhookId"]
    with refused(RoleForbids):
        await desk.call(member, "list_webhooks")
    other = await next_door(desk)
    stranger = await other.person("Stranger", Role.OWNER)
    for operation in ("update_webhook", "remove_webhook", "test_webhook", "list_webhook_deliveries"):
        with refused(NotFound):
            await other.call(stranger, operation, webhook_id=webhook_id)
    with refused(NotFound):
        await other.call(stranger, "redeliver_webhook", webhook_id=webhook_id, number=1)
    theirs = await published_spec(other, stranger)
    with refused(NotFound):
        await desk.call(admin, "create_webhook", url=URL, project_id=theirs.project_id)


async def test_bad_addresses_and_kinds_are_refused(desk):
    admin = await admin_of(desk)
    for url in (
        "ftp://example.com",
        "https://",
        "https://a b",
        "https://user:pw@example.com/",
        "https://e.com/#x",
        "x",
    ):
        with refused(BadField) as caught:
            await desk.call(admin, "create_webhook", url=url)
        assert caught.refusal.details["field"] == "url", url
    with refused(BadField) as caught:
        await desk.call(admin, "create_webhook", url=URL, kinds=["nonsense"])
    assert caught.refusal.details["field"] == "kinds"
    assert (await desk.call(admin, "list_webhooks"))["webhooks"] == []


def leading_to(*addresses, allowed=is_public_https):
    async def resolve(host):
        if not addresses:
            raise OSError("no such name")
        return [host] if host[0].isdigit() or ":" in host else list(addresses)

    return HttpOutbound(Fetcher(resolve=resolve, allowed=allowed))


@pytest.mark.parametrize(
    ("url", "addresses"),
    [
        ("https://127.0.0.1/x", ["1.1.1.1"]),
        ("https://10.1.2.3/x", ["1.1.1.1"]),
        ("https://169.254.169.254/latest", ["1.1.1.1"]),
        ("https://[::1]/x", ["1.1.1.1"]),
        ("https://[::ffff:10.0.0.1]/x", ["1.1.1.1"]),
        ("https://inside.example.com/x", ["192.168.1.2"]),
        ("https://both.example.com/x", ["1.1.1.1", "192.168.1.2"]),
        ("http://outside.example.com/x", ["1.1.1.1"]),
    ],
)
async def test_an_address_that_no_delivery_would_go_to_is_not_saved(desk, url, addresses):
    admin = await admin_of(desk)
    desk.dispatcher.outbound = leading_to("1.1.1.1")
    webhook_id = (await desk.call(admin, "create_webhook", url=URL))["webhook"]["webhookId"]
    desk.dispatcher.outbound = leading_to(*addresses)
    for operation, arguments in (("create_webhook", {}), ("update_webhook", {"webhook_id": webhook_id})):
        with refused(RuleBroken) as caught:
            await desk.call(admin, operation, url=url, **arguments)
        assert caught.refusal.code == "address_not_allowed"
    assert [hook["url"] for hook in (await desk.call(admin, "list_webhooks"))["webhooks"]] == [URL]


async def test_an_address_that_may_be_reached_is_saved_and_so_is_one_that_leads_nowhere_yet(desk):
    admin = await admin_of(desk)
    for outbound, url in (
        (leading_to(), "https://later.example.com/x"),
        (leading_to("10.0.0.1", allowed=is_public_https_or_private), "http://inside.example.com/x"),
    ):
        desk.dispatcher.outbound = outbound
        saved = (await desk.call(admin, "create_webhook", url=url))["webhook"]
        assert saved["url"] == url
        # What says nothing of the address is not judged by it.
        desk.dispatcher.outbound = leading_to("10.0.0.1")
        await desk.call(admin, "update_webhook", webhook_id=saved["webhookId"], state="paused")


async def test_there_are_at_most_so_many(desk):
    admin = await admin_of(desk)
    for _ in range(limits.WEBHOOKS):
        await desk.call(admin, "create_webhook", url=URL)
    with refused(RuleBroken):
        await desk.call(admin, "create_webhook", url=URL)


async def test_deliveries_come_in_pages_the_newest_first(desk):
    admin = await admin_of(desk)
    webhook_id = (await desk.call(admin, "create_webhook", url=URL))["webhook"]["webhookId"]
    for _ in range(limits.PAGE_ROWS + 1):
        await desk.call(admin, "test_webhook", webhook_id=webhook_id)
    page = await desk.call(admin, "list_webhook_deliveries", webhook_id=webhook_id)
    assert [one["number"] for one in page["deliveries"]] == list(range(limits.PAGE_ROWS + 1, 1, -1))
    rest = await desk.call(admin, "list_webhook_deliveries", webhook_id=webhook_id, cursor=page["nextCursor"])
    assert [one["number"] for one in rest["deliveries"]] == [1]
    assert "nextCursor" not in rest
