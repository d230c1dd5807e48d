"""Webhooks are sent to a real server on this machine, on both stores."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from pendesk.domain import limits
from pendesk.domain.access import Role
from pendesk.domain.webhook import DeliveryOutcome, derive_webhook_secret, signature_header
from pendesk.ids import new_id
from pendesk.operations.webhooks import finish_delivery, start_delivery
from pendesk.operations.webhooks.finish_delivery import FinishDelivery
from pendesk.operations.webhooks.start_delivery import StartDelivery
from pendesk.store import webhooks
from pendesk.transports.fetch import Fetcher, is_public_https, is_public_https_or_private
from pendesk.transports.webhooks import outgoing
from pendesk.transports.webhooks.outgoing import Deliverer
from tests.desk import MINUTE, SECOND
from tests.events import events_of
from tests.patience import PATIENCE_S
from tests.webhook_receiver import receiving
from tests.workbench import next_door, published_spec

HOUR = 60 * MINUTE


class Post:
    """A desk with an admin, some work, a receiver, and one who delivers."""

    def __init__(self, desk, admin, work, receiver):
        self.desk, self.admin, self.work, self.receiver = desk, admin, work, receiver
        self.deliverer = self.another()

    def another(self, allowed=is_public_https_or_private):
        return Deliverer(self.desk.dispatcher, Fetcher(allowed=allowed, timeout_s=5), new_id())

    async def hook(self, **asked):
        made = await self.desk.call(self.admin, "create_webhook", url=self.receiver.url, **asked)
        self.secret = made["secret"]
        self.id = made["webhook"]["webhookId"]
        return self.id

    async def note(self, title="A note", project_id=None):
        asked = {"project_id": project_id or self.work.project_id, "title": title}
        return await self.desk.call(self.admin, "create_note", **asked)

    async def deliver(self, deliverer=None):
        await (deliverer or self.deliverer).start_due_deliveries()
        await (deliverer or self.deliverer).wait_for_running_deliveries()

    async def deliveries(self):
        found = await self.desk.call(self.admin, "list_webhook_deliveries", webhook_id=self.id)
        return found["deliveries"]

    async def state(self):
        (hook,) = (await self.desk.call(self.admin, "list_webhooks"))["webhooks"]
        return hook


def forget_all(tx):
    """Tests share a database, and whoever delivers does so for every workspace."""
    tx.lock("SELECT 1 FROM outgoing_webhooks FOR UPDATE")  # a delivery of the last test may still be kept
    tx.run("DELETE FROM webhook_deliveries")
    tx.run("DELETE FROM outgoing_webhooks")


@pytest.fixture
async def post(desk):
    await desk.store.write("", forget_all)
    async with receiving() as receiver:
        admin = await desk.person("Ada", Role.ADMIN)
        yield Post(desk, admin, await published_spec(desk, admin), receiver)
    await desk.store.write("", forget_all)


async def test_every_change_from_now_on_is_sent_in_order_as_it_stands_in_the_log(post):
    await post.hook()
    await post.note("One")
    await post.note("Two")
    await post.deliver()
    log = (await post.desk.call(post.admin, "list_events", project_id=post.work.project_id))["events"][-2:]
    sent = post.receiver.received[1:]  # the first tells that the webhook was made
    assert [each.json["event"] for each in sent] == log
    assert [each.id for each in sent] == [f"{post.id}.{row['seq']}" for row in log]
    assert post.receiver.kinds == ["outgoing_webhook.created", "note.created", "note.created"]
    assert sent[0].json["workspaceId"] == post.desk.workspace
    assert {one["state"] for one in await post.deliveries()} == {"delivered"}
    await post.deliver()
    assert len(post.receiver.received) == 3


async def test_what_is_sent_is_signed_with_the_secret_and_the_time(post):
    await post.hook(kinds=["note"])
    await post.note()
    await post.deliver()
    (sent,) = post.receiver.received
    moment = post.desk.clock() // SECOND
    assert sent.headers["pendesk-signature"] == signature_header(post.secret, moment, sent.body)
    assert sent.headers["content-type"] == "application/json"
    renewed = await post.desk.call(post.admin, "update_webhook", webhook_id=post.id, new_secret=True)
    await post.note()
    await post.deliver()
    again = post.receiver.received[-1]
    assert again.headers["pendesk-signature"] == signature_header(renewed["secret"], moment, again.body)


async def test_kinds_and_project_choose(post):
    other = await published_spec(post.desk, post.admin)
    await post.hook(kinds=["note.created", "build"], project_id=other.project_id)
    await post.note("Elsewhere")
    await post.desk.call(post.admin, "create_task", project_id=other.project_id, label="x")
    await post.note("Here", other.project_id)
    await post.deliver()
    assert post.receiver.kinds == ["note.created"]
    assert post.receiver.received[0].json["event"]["projectId"] == other.project_id


async def test_how_people_get_in_is_sent_only_where_an_admin_named_it(post):
    await post.hook()
    await post.desk.call(post.admin, "invite_member", email="new@example.com")
    await post.desk.call(post.admin, "create_token", name="x")
    await post.note()
    await post.deliver()
    assert post.receiver.kinds == ["outgoing_webhook.created", "note.created"]
    await post.desk.call(post.admin, "update_webhook", webhook_id=post.id, kinds=["invite"])
    await post.desk.call(post.admin, "invite_member", email="other@example.com")
    await post.deliver()
    assert post.receiver.kinds[2:] == ["invite.created"]


async def test_nothing_of_another_workspace_is_sent(post):
    await post.hook(kinds=["note"])
    other = await next_door(post.desk)
    stranger = await other.person("Stranger", Role.OWNER)
    theirs = await published_spec(other, stranger)
    await other.call(stranger, "create_note", project_id=theirs.project_id, title="Theirs")
    await post.deliver()
    assert post.receiver.received == []


async def test_slack_gets_a_line_with_a_link_in_which_nothing_is_markup(post):
    await post.hook(format="slack", kinds=["clarification.asked", "note.created"])
    action = post.work.actions[0]
    await post.desk.call(post.admin, "claim_action", action_pid=action["pid"], agent_model="claude-opus-5")
    await post.desk.call(
        post.admin, "request_clarification", action_pid=action["pid"], question="Is <!channel> & <x|y> ok?\nReally?"
    )
    await post.note()
    await post.deliver()
    asked, noted = (each.json for each in post.receiver.received)
    assert list(asked) == ["text"]
    url = post.desk.installation.public_url
    assert asked["text"].startswith(f"Ada (claude-opus-5) asked a question about {action['refCode']}: Is &lt;!channel")
    assert asked["text"].endswith(f"<{url}/a/{action['refCode']}|{action['refCode']} Action 1>")
    assert "<!channel>" not in asked["text"]
    assert "\n" not in asked["text"]
    assert f"<{url}/p/" in noted["text"]


async def test_a_failure_is_tried_again_later_and_keeps_the_order(post):
    await post.hook(kinds=["note"])
    post.receiver.answers = [500, 503]
    await post.note("One")
    await post.note("Two")
    await post.deliver()
    (one,) = await post.deliveries()
    assert (one["state"], one["status"], one["attempts"], one["error"]) == ("retrying", 500, 1, "it answered 500")
    await post.deliver()
    assert len(post.receiver.received) == 1, "it waits"
    post.desk.clock.forward(6 * SECOND)
    await post.deliver()
    assert len(post.receiver.received) == 2
    post.desk.clock.forward(11 * SECOND)
    await post.deliver()
    titles = [each.json["event"]["seq"] for each in post.receiver.received]
    assert titles[0] == titles[1] == titles[2] < titles[3]
    assert [(one["state"], one["attempts"]) for one in await post.deliveries()] == [("delivered", 1), ("delivered", 3)]
    assert "failingSince" not in await post.state()


async def test_an_address_that_nobody_listens_at_is_a_failure_with_a_reason(post):
    await post.hook(kinds=["note"])
    await post.desk.call(post.admin, "update_webhook", webhook_id=post.id, url="http://127.0.0.1:1/")
    await post.note()
    await post.deliver()
    (one,) = await post.deliveries()
    assert (one["state"], one["error"]) == ("retrying", "its address could not be reached")


async def test_private_addresses_are_not_called_unless_that_is_allowed(post):
    await post.hook(kinds=["note"])
    await post.note()
    await post.deliver(post.another(is_public_https))
    assert post.receiver.received == []
    (one,) = await post.deliveries()
    assert one["error"] == "its address is not a public one"


async def test_a_redirect_is_a_failure_and_is_not_followed(post):
    await post.hook(kinds=["note"])
    post.receiver.answers = [f"302 Found\r\nLocation: {post.receiver.url}\r\nContent-Length: 0"]
    await post.note()
    await post.deliver()
    assert len(post.receiver.received) == 1
    assert (await post.deliveries())[0]["status"] == 302


async def test_what_the_receiver_refuses_three_times_is_passed_over(post):
    await post.hook(kinds=["note"])
    post.receiver.answers = [422] * limits.WEBHOOK_REFUSALS
    await post.note("Refused")
    await post.note("Next")
    for _ in range(limits.WEBHOOK_REFUSALS + 1):
        await post.deliver()
        post.desk.clock.forward(MINUTE)
    assert [one["state"] for one in await post.deliveries()] == ["delivered", "failed"]


async def test_after_a_day_of_failures_it_is_given_up_and_can_go_on_where_it_stopped(post):
    await post.hook(kinds=["note"])
    post.receiver.answers = [500] * 100
    first = await post.note("First")
    for _ in range(60):
        await post.deliver()
        post.desk.clock.forward(HOUR)
    assert (await post.state())["state"] == "failing"
    (told,) = await events_of(post.desk, post.admin, "outgoing_webhook.failing")
    assert told["objectId"] == post.id
    tries = len(post.receiver.received)
    assert 24 <= tries <= 40
    assert len({each.id for each in post.receiver.received}) == 1
    await post.deliver()
    assert len(post.receiver.received) == tries
    post.receiver.answers = []
    await post.desk.call(post.admin, "update_webhook", webhook_id=post.id, state="active")
    await post.deliver()
    assert post.receiver.received[-1].json["event"]["objectId"] == first["pid"]


async def test_who_comes_back_may_skip_what_was_missed(post):
    await post.hook(kinds=["note"])
    await post.desk.call(post.admin, "update_webhook", webhook_id=post.id, state="paused")
    await post.note("Missed")
    await post.deliver()
    assert post.receiver.received == []
    await post.desk.call(post.admin, "update_webhook", webhook_id=post.id, state="active", skip_missed=True)
    fresh = await post.note("Fresh")
    await post.deliver()
    (sent,) = post.receiver.received
    assert sent.json["event"]["objectId"] == fresh["pid"]


async def test_a_receiver_that_is_gone_is_given_up_at_once(post):
    await post.hook(kinds=["note"])
    post.receiver.answers = [410]
    await post.note()
    await post.deliver()
    assert (await post.state())["state"] == "failing"


async def test_a_ping_is_sent_also_to_a_webhook_that_is_paused(post):
    await post.hook(kinds=["note"])
    await post.desk.call(post.admin, "update_webhook", webhook_id=post.id, state="paused")
    asked = await post.desk.call(post.admin, "test_webhook", webhook_id=post.id)
    assert asked["state"] == "pending"
    await post.deliver()
    (sent,) = post.receiver.received
    assert (sent.id, sent.json["ping"], sent.headers["pendesk-event"]) == (asked["deliveryId"], True, "ping")
    (one,) = await post.deliveries()
    assert (one["number"], one["state"], one["status"]) == (asked["number"], "delivered", 200)


async def test_a_ping_that_fails_is_not_repeated(post):
    await post.hook(kinds=["note"])
    post.receiver.answers = [500]
    await post.desk.call(post.admin, "test_webhook", webhook_id=post.id)
    await post.deliver()
    post.desk.clock.forward(HOUR)
    await post.deliver()
    assert len(post.receiver.received) == 1
    assert (await post.deliveries())[0]["state"] == "failed"
    assert "failingSince" not in await post.state()


async def test_a_delivery_is_sent_again_by_hand_with_the_same_id_and_body(post):
    await post.hook(kinds=["note"])
    await post.note()
    await post.deliver()
    (one,) = await post.deliveries()
    post.desk.clock.forward(SECOND)
    await post.desk.call(post.admin, "redeliver_webhook", webhook_id=post.id, number=one["number"])
    await post.deliver()
    first, second = post.receiver.received
    assert (first.id, first.body) == (second.id, second.body)
    assert first.headers["pendesk-signature"] != second.headers["pendesk-signature"]
    (again,) = await post.deliveries()
    assert (again["state"], again["attempts"]) == ("delivered", 2)


async def test_what_waits_to_be_tried_again_is_tried_now_if_asked(post):
    await post.hook(kinds=["note"])
    post.receiver.answers = [500]
    await post.note()
    await post.deliver()
    (one,) = await post.deliveries()
    await post.desk.call(post.admin, "redeliver_webhook", webhook_id=post.id, number=one["number"])
    await post.deliver()
    assert [each["state"] for each in await post.deliveries()] == ["delivered"]
    assert len(post.receiver.received) == 2


async def test_a_server_that_dies_between_sending_and_keeping_leaves_it_to_be_sent_again_with_the_same_id(post):
    await post.hook(kinds=["note"])
    await post.note()
    dead = post.another()

    async def dies(sent):
        await Deliverer._send(dead, sent)
        raise asyncio.CancelledError

    dead._send = dies
    await dead.start_due_deliveries()
    await asyncio.gather(*dead._running.values(), return_exceptions=True)
    assert await post.deliveries() == []
    await post.deliver()
    assert len(post.receiver.received) == 1, "the lease has not lapsed"
    post.desk.clock.forward(limits.WEBHOOK_LEASE_US)
    await post.deliver()
    first, second = post.receiver.received
    assert (first.id, first.body) == (second.id, second.body)
    assert [one["state"] for one in await post.deliveries()] == ["delivered"]


async def test_of_several_servers_one_delivers(post):
    await post.hook(kinds=["note"])
    for number in range(5):
        await post.note(str(number))
    servers = [post.another() for _ in range(4)]
    await asyncio.gather(*(server.start_due_deliveries() for server in servers))
    await asyncio.gather(*(server.wait_for_running_deliveries() for server in servers))
    ids = [each.id for each in post.receiver.received]
    assert len(ids) == len(set(ids)) == 5


async def test_who_lost_the_lease_no_longer_says_what_came_of_it(post):
    await post.hook(kinds=["note"])
    await post.note()
    desk = post.desk
    late = await desk.dispatcher.call_as_server(
        start_delivery.OPERATION, StartDelivery(desk.workspace, post.id, "late")
    )
    desk.clock.forward(limits.WEBHOOK_LEASE_US)
    await post.deliver()
    finished = FinishDelivery(desk.workspace, late, DeliveryOutcome(None, "too late"), "late", 0.0)
    assert not await desk.dispatcher.call_as_server(finish_delivery.OPERATION, finished)
    assert [one["state"] for one in await post.deliveries()] == ["delivered"]


async def test_a_webhook_that_is_removed_while_it_is_sent_stays_removed(post):
    await post.hook(kinds=["note"])
    await post.note()

    async def removes():
        await post.desk.call(post.admin, "remove_webhook", webhook_id=post.id)

    post.receiver.answers = [removes]
    await post.deliver()
    assert (await post.desk.call(post.admin, "list_webhooks"))["webhooks"] == []


async def test_a_slow_receiver_keeps_no_other_waiting(post):
    slow = asyncio.Event()
    post.receiver.answers = [slow.wait]
    await post.hook(kinds=["note"])
    async with receiving() as other:
        await post.desk.call(post.admin, "create_webhook", url=other.url, kinds=["note"])
        await post.note()
        await post.deliverer.start_due_deliveries()
        async with asyncio.timeout(PATIENCE_S):
            while not other.received:
                await asyncio.sleep(0.01)
        slow.set()
        await post.deliverer.wait_for_running_deliveries()


async def test_only_the_newest_deliveries_are_kept(post, monkeypatch):
    monkeypatch.setattr(webhooks, "WEBHOOK_DELIVERIES_KEPT", 3)
    await post.hook(kinds=["note"])
    for number in range(6):
        await post.note(str(number))
    await post.deliver()
    assert [one["number"] for one in await post.deliveries()] == [6, 5, 4]


async def test_a_long_backlog_is_delivered_in_several_goes(post, monkeypatch):
    monkeypatch.setattr(outgoing, "IN_ONE_GO", 2)
    await post.hook(kinds=["note"])
    for number in range(5):
        await post.note(str(number))
    for _ in range(3):
        await post.deliver()
    assert len(post.receiver.received) == 5


@asynccontextmanager
async def delivering_by_itself(deliverer):
    running = asyncio.create_task(deliverer.run())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_it_delivers_by_itself(post):
    await post.hook(kinds=["note"])
    async with delivering_by_itself(post.deliverer), asyncio.timeout(PATIENCE_S):
        await post.note()
        while not post.receiver.received:
            await asyncio.sleep(0.01)


async def test_no_secret_is_in_what_is_sent(post):
    await post.hook()
    made = await post.desk.call(post.admin, "create_token", name="x")
    await post.desk.call(post.admin, "create_sign_in_link")
    await post.desk.call(post.admin, "invite_member", email="grace@example.com")
    await post.deliver()
    sent = json.dumps([each.json for each in post.receiver.received])
    key = derive_webhook_secret(post.desk.installation.signing_key, post.desk.workspace, post.id, 1)
    assert made["token"] not in sent
    assert key == post.secret
    assert key not in sent
    assert "code=" not in sent
    assert post.receiver.url not in sent
