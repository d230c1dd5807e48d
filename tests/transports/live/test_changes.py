"""GET /api/v1/events?as=changes: several events told together, as an open page needs them."""

import re
from pathlib import Path

from pendesk.transports import web
from pendesk.transports.live import stream, streams
from pendesk.transports.live.changes import ANNOUNCED
from tests.transports.live.follower import following


async def heard_until(follower, seq):
    """The topics and the whole events that were told up to a number, and in how many messages."""
    topics: set[str] = set()
    events = []
    messages = 0
    while True:
        told = await follower.changes()
        messages += 1
        topics |= set(told["topics"])
        events += told["events"]
        if told["seq"] >= seq:
            return topics, events, messages


async def test_what_comes_together_is_told_in_one_message_by_the_records_that_changed(live):
    start = (await live.log())[-1]["seq"]
    notes = [await live.note(str(number)) for number in range(30)]
    newest = (await live.log())[-1]["seq"]
    async with live.follow(after=start, **{"as": "changes"}) as follower:
        await follower.ready()
        topics, events, messages = await heard_until(follower, newest)
    project = {f"project:{live.work.project_id}"}
    assert topics == project | {f"object:{note['pid']}" for note in notes}
    assert (events, messages) == ([], 1)


async def test_each_record_is_named_once_however_often_it_changed(live):
    action = live.work.actions[0]["pid"]
    start = (await live.log())[-1]["seq"]
    for _ in range(3):
        await live.desk.call(live.owner, "claim_action", action_pid=action)
        await live.desk.call(live.owner, "release_action", action_pid=action)
    async with live.follow(after=start, **{"as": "changes"}) as follower:
        await follower.ready()
        told = await follower.changes()
    assert sorted(told["topics"]) == sorted(set(told["topics"]))
    assert {f"action:{action}", "counts"} <= set(told["topics"])
    assert f"object:{action}" not in told["topics"]


async def test_what_a_browser_may_announce_is_told_whole(live):
    action = live.work.actions[0]["pid"]
    async with live.follow(**{"as": "changes"}) as follower:
        await follower.ready()
        await live.desk.call(live.owner, "claim_action", action_pid=action)
        await live.desk.call(live.owner, "request_clarification", action_pid=action, question="Which port?")
        log = await live.log()
        _, events, _ = await heard_until(follower, log[-1]["seq"])
    assert events == [row for row in log if row["kind"] == "clarification.asked"]


def test_these_are_the_kinds_that_the_browser_asks_for():
    script = (Path(web.__file__).parent / "static/js/notify.js").read_text()
    assert set(re.findall(r'^  "(\w+\.\w+)"', script, re.MULTILINE)) == ANNOUNCED


async def test_a_number_of_the_sidebar_is_counted_anew_only_where_it_can_be_another(live):
    async with live.follow(**{"as": "changes"}) as follower:
        await follower.ready()
        await live.note()
        assert "counts" not in (await follower.changes())["topics"]
        await live.desk.call(live.owner, "claim_action", action_pid=live.work.actions[0]["pid"])
        assert "counts" in (await follower.changes())["topics"]


async def test_each_is_told_what_they_may_see(live):
    grace = await live.desk.person("Grace")
    session = {"cookie": f"pendesk_session={await live.session_of(grace)}"}
    start = (await live.log())[-1]["seq"]
    await live.desk.call(live.owner, "invite_member", email="new@example.com")
    await live.note()
    log = await live.log(start)
    invited, noted = (f"object:{row['objectId']}" for row in log)
    async with (
        following(live.url, session, after=start, **{"as": "changes"}) as hers,
        live.follow(after=start, **{"as": "changes"}) as owners,
    ):
        await hers.ready()
        await owners.ready()
        assert invited not in (hers_topics := (await heard_until(hers, log[-1]["seq"]))[0])
        assert noted in hers_topics
        assert {invited, noted} <= (await heard_until(owners, log[-1]["seq"]))[0]


async def test_who_falls_behind_what_is_kept_is_told_from_the_log(live, monkeypatch):
    monkeypatch.setattr(stream, "RECENT_EVENTS", 2)
    monkeypatch.setattr(streams, "PAUSE_S", 0)
    async with live.follow(**{"as": "changes"}) as follower:
        await follower.ready()
        notes = [await live.note(str(number)) for number in range(20)]
        topics, _, _ = await heard_until(follower, (await live.log())[-1]["seq"])
    assert {f"object:{note['pid']}" for note in notes} <= topics


async def test_a_long_way_behind_is_told_in_messages_of_bounded_size(live, monkeypatch):
    monkeypatch.setattr(stream, "CHUNK_CHANGES", 4)
    async with live.follow() as plain:
        await plain.ready()
        async with live.follow(**{"as": "changes"}) as follower:
            newest = await follower.ready()
            for number in range(10):
                await live.note(str(number))
            await plain.events(10)
        async with live.follow(after=newest, **{"as": "changes"}) as follower:
            await follower.ready()
            first = await follower.changes()
            assert first["seq"] == newest + 4
            _, _, messages = await heard_until(follower, newest + 10)
            assert messages == 2


async def test_filters_choose_before_events_are_put_together(live):
    async with live.follow(kind="note.*", **{"as": "changes"}) as follower:
        await follower.ready()
        await live.desk.call(live.owner, "create_task", project_id=live.work.project_id, label="x")
        note = await live.note()
        assert f"object:{note['pid']}" in (await follower.changes())["topics"]
