"""GET /api/v1/events: what a follower is sent, and from where on."""

import json
from typing import Any

from pendesk.domain.access import Role
from pendesk.domain.errors import Unavailable
from pendesk.transports.live import stream, streams
from tests.transports.live.follower import following
from tests.workbench import join_next_door, next_door, published_spec


async def test_a_follower_is_told_where_the_log_stands_and_then_every_row_as_list_events_gives_it(live):
    before = len(await live.log())
    async with live.follow() as follower:
        assert follower.answer.headers["content-type"] == "text/event-stream"
        assert follower.answer.headers["cache-control"] == "no-store"
        assert await follower.ready() == before
        assert follower.lines[0] == "retry: 1000"
        await live.note("One")
        await live.note("Two")
        assert await follower.events(2) == (await live.log())[before:]


async def test_without_a_number_the_stream_starts_from_now_and_says_so(live):
    async with live.follow() as follower:
        newest = await follower.ready()
        assert follower.id == str(newest)  # a browser that loses the connection now goes on from here
        await live.note()
        assert (await follower.event())["seq"] == newest + 1


async def test_a_stream_is_resumed_after_any_number(live):
    log = await live.log()
    for after in (0, 3, len(log) - 1, len(log)):
        async with live.follow(after=after) as follower:
            assert await follower.ready() == len(log)
            assert await follower.events(len(log) - after) == log[after:]


async def test_the_header_of_a_browser_that_comes_back_counts_more_than_its_address(live):
    log = await live.log()
    headers = {"authorization": f"Bearer {live.token}", "last-event-id": "5"}
    async with following(live.url, headers, after=1) as follower:
        await follower.ready()
        assert follower.id == "5"
        assert await follower.event() == log[5]


async def test_a_number_beyond_the_end_is_of_another_log(live):
    async with live.follow(after=10**9) as follower:
        newest = await follower.ready()
        assert newest == len(await live.log())
        await live.note()
        assert (await follower.event())["seq"] == newest + 1


async def test_filters_choose_by_project_action_and_kind(live):
    other = await published_spec(live.desk, live.owner)
    key = (await live.desk.call(live.owner, "get_project", project_id=other.project_id))["key"]
    action = live.work.actions[0]
    wanted = {
        ("project_id", other.project_id): lambda row: row["projectId"] == other.project_id,
        ("project_id", key): lambda row: row["projectId"] == other.project_id,
        ("action_pid", action["pid"]): lambda row: row["actionId"] == action["pid"],
        ("action_pid", action["refCode"]): lambda row: row["actionId"] == action["pid"],
        ("kind", "build.published"): lambda row: row["kind"] == "build.published",
        ("kind", "action.*"): lambda row: row["kind"].startswith("action."),
    }
    for (name, value), fits in wanted.items():
        async with live.follow(after=0, **{name: value}) as old, live.follow(**{name: value}) as new:
            log = await live.log()
            await old.ready()
            newest = await new.ready()
            assert await old.events(len([row for row in log if fits(row)])) == [row for row in log if fits(row)]
            # What comes now reaches both alike.
            await live.desk.call(live.owner, "claim_action", action_pid=action["pid"])
            await live.desk.call(live.owner, "release_action", action_pid=action["pid"])
            await published_spec(live.desk, live.owner)
            await live.desk.call(live.owner, "create_note", project_id=other.project_id, title="x")
            fresh = [row for row in await live.log(newest) if fits(row)]
            assert fresh
            assert await old.events(len(fresh)) == await new.events(len(fresh)) == fresh


async def test_several_kinds_are_any_of_them(live):
    async with live.follow(kind=["note.*", "document.created"]) as follower:
        await follower.ready()
        await live.desk.call(live.owner, "create_task", project_id=live.work.project_id, label="x")
        await live.note()
        await live.desk.call(live.owner, "create_document", project_id=live.work.project_id, title="x")
        assert [row["kind"] for row in await follower.events(2)] == ["note.created", "document.created"]


BAD_QUESTIONS: list[tuple[dict[str, Any], str]] = [
    ({"after": "-1"}, "after"),
    ({"after": "x"}, "after"),
    ({"after": "9" * 40}, "after"),
    ({"after": "٣"}, "after"),
    ({"kind": "nonsense"}, "kind"),
    ({"kind": "*"}, "kind"),
    ({"kind": ""}, "kind[0]"),
    ({"unknown": "1"}, "unknown"),
    ({"project_id": ["a", "b"]}, "project_id"),
    ({"limit": "5"}, "limit"),
    ({"as": "rows"}, "as"),
    ({"as": ""}, "as"),
]


async def test_bad_questions_are_refused_by_field(live):
    for query, field in BAD_QUESTIONS:
        answer = await live.get({"authorization": f"Bearer {live.token}"}, **query)
        assert (answer.status_code, answer.json()["error"]["field"]) == (422, field), answer.text


async def test_project_and_action_together_are_refused(live):
    answer = await live.get(
        {"authorization": f"Bearer {live.token}"},
        project_id=live.work.project_id,
        action_pid=live.work.actions[0]["pid"],
    )
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "action_pid")


async def test_nothing_of_another_workspace_is_seen(live):
    other = await next_door(live.desk)
    stranger = await other.person("Stranger", Role.OWNER)
    theirs = await published_spec(other, stranger)
    for name, value in (("project_id", theirs.project_id), ("action_pid", theirs.actions[0]["pid"])):
        answer = await live.get({"authorization": f"Bearer {live.token}"}, **{name: value})
        assert answer.status_code == 404
    async with live.follow() as follower:
        newest = await follower.ready()
        await other.call(stranger, "create_note", project_id=theirs.project_id, title="Theirs")
        await join_next_door(other, stranger, live.owner)
        mine = await live.note("Mine")
        row = await follower.event()
        assert (row["seq"], row["objectId"]) == (newest + 1, mine["pid"])


async def test_an_idle_stream_shows_that_it_lives_and_moves_the_number_of_who_hears_nothing(live):
    live.streams.beat_s = 0.05
    async with live.follow(kind="build.published") as follower:
        newest = await follower.ready()
        while await follower.line() != ":":
            pass
        await live.note()
        while await follower.line() != f"id: {newest + 1}":
            pass
        assert await follower.line() == ""


async def test_who_falls_behind_what_is_kept_misses_nothing(live, monkeypatch):
    monkeypatch.setattr(stream, "RECENT_EVENTS", 2)
    monkeypatch.setattr(streams, "PAUSE_S", 0)
    async with live.follow() as follower, live.follow(after=0, kind="note.*") as other:
        newest = await follower.ready()
        await other.ready()
        for number in range(40):
            await live.note(str(number))
        log = await live.log(newest)
        assert await follower.events(40) == log
        assert await other.events(40) == log


async def test_a_stored_line_break_cannot_begin_a_field(live):
    async with live.follow() as follower:
        await follower.ready()
        question = "a\r\n\r\ndata: {}\nid: 999\n\n"
        await live.desk.call(live.owner, "request_clarification", action_pid=await claimed(live), question=question)
        kinds = [row["kind"] for row in await follower.events(2)]
        assert kinds == ["action.claimed", "clarification.asked"]
        assert follower.id != "999"


async def claimed(live):
    action = live.work.actions[0]["pid"]
    await live.desk.call(live.owner, "claim_action", action_pid=action)
    return action


async def test_only_get_is_served(live):
    for method in ("HEAD", "POST", "PUT", "DELETE", "OPTIONS"):
        answer = await live.get({"authorization": f"Bearer {live.token}"}, method)
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET")


async def test_a_server_that_stops_says_so_and_closes(live):
    async with live.follow() as follower:
        await follower.ready()
        live.feed.signal.close_and_wake_subscribers()
        assert await follower.until_end() == ([], "stopping")
    assert (await live.get({"authorization": f"Bearer {live.token}"})).status_code == 503


async def test_a_log_that_cannot_be_read_ends_the_stream_where_it_was(live, monkeypatch):
    async def unavailable(_reader):
        raise Unavailable("The database cannot be reached now.")

    monkeypatch.setattr(live.streams, "read_events_after_cursor", unavailable)
    async with live.follow(after=3) as follower:
        await follower.ready()
        assert await follower.until_end() == ([], "unavailable")
        assert follower.id == "3"


async def test_what_is_sent_is_json_of_one_line(live):
    async with live.follow(after=0) as follower:
        await follower.ready()
        told = await follower.message()
        assert json.loads(told["data"]) == (await live.log())[0]
