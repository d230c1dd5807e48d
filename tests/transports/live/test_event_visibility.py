"""How people get in is told to admins and to those it is about, live and when catching up."""

import json

from pendesk.transports.live import stream
from tests.transports.live.follower import following

ADDRESS = "new@example.com"


async def something_private(live, grace):
    await live.desk.call(live.owner, "invite_member", email=ADDRESS)
    await live.desk.call(live.owner, "create_sign_in_link", user_pid=grace.user_id)
    await live.note("Public")


async def test_each_is_told_what_they_may_see_and_their_numbers_go_on(live):
    grace = await live.desk.person("Grace")
    session = {"cookie": f"pendesk_session={await live.session_of(grace)}"}
    async with following(live.url, session) as hers, live.follow() as owners, live.follow(live.token) as tokens:
        for follower in (hers, owners, tokens):
            await follower.ready()
        await something_private(live, grace)
        seen = [await owners.event() for _ in range(3)]
        assert [row["kind"] for row in seen] == ["invite.created", "sign_in_link.created", "note.created"]
        assert ADDRESS not in json.dumps(seen)
        assert [row.get("aboutUserId") for row in seen] == [None, grace.user_id, None]
        assert await hers.events(2) == seen[1:]
        assert await tokens.event() == seen[2]


async def test_who_is_behind_reads_the_log_with_the_same_eyes(live, monkeypatch):
    monkeypatch.setattr(stream, "RECENT_EVENTS", 0)
    grace = await live.desk.person("Grace")
    session = {"cookie": f"pendesk_session={await live.session_of(grace)}"}
    start = (await live.log())[-1]["seq"]
    await something_private(live, grace)
    async with following(live.url, session, after=start) as hers, live.follow(live.token, after=start) as tokens:
        await hers.ready()
        await tokens.ready()
        assert [row["kind"] for row in await hers.events(2)] == ["sign_in_link.created", "note.created"]
        assert (await tokens.event())["kind"] == "note.created"


async def test_filters_choose_among_what_is_seen_also_by_who_did_it(live):
    grace = await live.desk.person("Grace")
    session = {"cookie": f"pendesk_session={await live.session_of(grace)}"}
    asked = {"user_pid": grace.user_id, "kind": ["note", "token"]}
    async with following(live.url, session, **asked) as hers:
        await hers.ready()
        await live.desk.call(live.owner, "create_token", name="Not hers")
        await live.note("Not hers")
        await live.desk.call(grace, "create_token", name="Hers")
        await live.desk.call(grace, "create_note", project_id=live.work.project_id, title="Hers")
        assert [row["kind"] for row in await hers.events(2)] == ["token.created", "note.created"]
