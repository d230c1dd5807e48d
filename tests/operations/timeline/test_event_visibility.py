"""What tells how people get in is read by admins and by those it is about; pages and cursors stay right."""

import json

import pytest

from pendesk.domain.access import TOKEN_SCOPES, Role
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_visibility import PRIVATE_KINDS, viewer_of, whom_it_is_about
from pendesk.domain.limits import TIMELINE_WINDOW
from pendesk.store import events
from pendesk.store import timeline as log
from tests.events import events_of
from tests.exchange import exported

ADDRESS = "new@example.com"


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada", Role.ADMIN)


@pytest.fixture
async def bea(desk):
    return await desk.person("Bea")


@pytest.fixture
async def happened(desk, ada, bea):
    """A little of everything: an invite, tokens of one's own and for another, links; and work in between."""
    project = await desk.call(ada, "create_project", name="Harbour")
    await desk.call(ada, "invite_member", email=ADDRESS)
    agent = await desk.call(ada, "create_user", name="Builder", kind="agent")
    await desk.call(ada, "create_token", name="CI", user_pid=agent["userId"])
    await desk.call(bea, "create_note", project_id=project["pid"], title="Tides")
    await desk.call(bea, "create_token", name="Laptop")
    await desk.call(ada, "create_sign_in_link", user_pid=bea.user_id)
    await desk.call(ada, "create_sign_in_link")
    return agent


def kinds(answer):
    return [event["kind"] for event in answer["events"]]


async def test_a_member_sees_the_work_and_what_is_about_themselves(desk, ada, bea, happened):
    for operation in ("list_events", "get_timeline"):
        seen = await desk.call(bea, operation)
        assert sorted(kind for kind in kinds(seen) if kind in PRIVATE_KINDS) == [
            "sign_in_link.created",
            "token.created",
        ]
        assert {"project.created", "note.created", "member.added"} <= set(kinds(seen))
        assert ADDRESS not in json.dumps(seen)
        assert "CI" not in json.dumps(seen)
        assert ADDRESS in json.dumps(await desk.call(ada, operation))


async def test_who_a_token_was_made_for_sees_it(desk, ada, bea, happened):
    builder = bea._replace(user_id=happened["userId"])
    assert [event["data"]["name"] for event in await events_of(desk, builder, "token.created")] == ["CI"]


async def test_no_token_sees_any_of_it_whoever_made_it(desk, ada, bea, happened):
    for person in (ada, bea):
        by_token = person._replace(scopes=TOKEN_SCOPES)
        for operation in ("list_events", "get_timeline"):
            assert not PRIVATE_KINDS & set(kinds(await desk.call(by_token, operation)))


async def test_whoever_is_an_admin_no_more_sees_no_more_of_it(desk, ada, happened):
    former = ada._replace(user_id="", role=Role.MEMBER)
    assert not PRIVATE_KINDS & set(kinds(await desk.call(former, "list_events")))


async def test_pages_are_full_and_their_cursors_lead_through_everything_that_is_seen(desk, bea, happened):
    whole = kinds(await desk.call(bea, "list_events"))
    page = await desk.call(bea, "list_events", limit=2)
    found = kinds(page)
    while "nextCursor" in page:
        assert len(page["events"]) == 2
        page = await desk.call(bea, "list_events", after=page["nextCursor"], limit=2)
        found += kinds(page)
    assert found == whole
    page = await desk.call(bea, "get_timeline", limit=2)
    back = kinds(page)
    while "nextCursor" in page:
        page = await desk.call(bea, "get_timeline", limit=2, cursor=page["nextCursor"])
        back += kinds(page)
    assert back == whole[::-1]


async def test_the_query_and_the_rule_say_the_same_of_every_event(desk, ada, bea, happened):
    def look(tx):
        every = events.after(tx, 0, 1_000)
        for person in (ada, bea, bea._replace(user_id=happened["userId"]), ada._replace(scopes=TOKEN_SCOPES)):
            eyes = viewer_of(person)
            by_rule = [
                event.seq
                for event in every
                if eyes.see(whom_it_is_about(event.kind, event.actor_id, event.object_id, json.loads(event.data)))
            ]
            found, _ = events.page(tx, 0, 1_000, EventFilter(), eyes)
            deeds, _ = log.before(tx, every[-1].seq + 1, EventFilter(), eyes, 1_000)
            assert [event.seq for event in found] == by_rule == [deed.seq for deed in deeds][::-1]
        return len(every)

    assert await desk.store.read(desk.workspace, look) > 8


async def test_no_export_has_any_of_it(desk, ada, happened):
    told = await exported(desk, ada, "HAR")
    assert b"note.created" in told
    assert not [kind for kind in PRIVATE_KINDS if kind.encode() in told]


async def test_nobody_forges_a_name_in_what_an_event_tells(desk, ada, bea, happened):
    forged = f'x","user":"{bea.user_id}","y":"'
    await desk.call(ada, "create_token", name=forged)
    assert [event["data"]["name"] for event in await events_of(desk, bea, "token.created")] == ["Laptop"]


async def test_what_is_rare_is_looked_for_in_windows_that_cursors_lead_through(desk, ada, happened, monkeypatch):
    assert TIMELINE_WINDOW > 3
    monkeypatch.setattr(events, "TIMELINE_WINDOW", 3)
    newest = (await desk.call(ada, "list_events", limit=1, kind=["sign_in_link"]))["nextCursor"]
    assert newest == 3
    found = await events_of(desk, ada, "sign_in_link.created")
    assert len(found) == 2
