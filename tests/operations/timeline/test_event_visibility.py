"""What tells how people get in is read by admins and by those it is about; pages and cursors stay right."""

import json
from typing import get_args

import pytest

from pendesk.domain.access import TOKEN_SCOPES, Role
from pendesk.domain.event import Event, EventKind
from pendesk.domain.event_data import DATA_TYPES
from pendesk.domain.event_filter import EventFilter
from pendesk.domain.event_visibility import PRIVATE_KINDS, viewer_of
from pendesk.domain.limits import TIMELINE_WINDOW
from pendesk.operations.operation import Call
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
    assert ADDRESS in json.dumps(await desk.call(ada, "get_timeline"))


async def test_who_a_token_was_made_for_sees_it(desk, ada, bea, happened):
    builder = bea._replace(user_id=happened["userId"])
    (created,) = await events_of(desk, builder, "token.created")
    assert (created["data"]["name"], created["aboutUserId"]) == ("CI", happened["userId"])


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
    assert await forward(desk, bea, 2) == whole
    assert await backward(desk, bea, 2) == whole[::-1]


async def forward(desk, person, limit):
    page = await desk.call(person, "list_events", limit=limit)
    found = kinds(page)
    while "nextCursor" in page:
        assert len(page["events"]) == limit
        page = await desk.call(person, "list_events", after=page["nextCursor"], limit=limit)
        found += kinds(page)
    return found


async def backward(desk, person, limit):
    page = await desk.call(person, "get_timeline", limit=limit)
    found = kinds(page)
    while "nextCursor" in page:
        page = await desk.call(person, "get_timeline", limit=limit, cursor=page["nextCursor"])
        found += kinds(page)
    return found


# The rule before events had a column for it: who did it, to whom it happened, and who is named in the data.
def was_seen(person, event):
    if event.kind not in PRIVATE_KINDS:
        return True
    viewer = viewer_of(person)
    own = viewer.user_id and viewer.user_id in (event.actor_id, event.object_id, json.loads(event.data).get("user"))
    return viewer.all_events or bool(own)


async def test_every_event_is_seen_by_exactly_those_who_saw_it_before(desk, ada, bea, happened):
    """Every kind, caused by an admin or by a member, about either of them or neither: for every sort of viewer."""

    def record(tx):
        for actor in (ada, bea):
            call = Call(tx, actor, desk.installation)
            for kind in get_args(EventKind):
                for about in (ada.user_id, bea.user_id, None):
                    call.record(event_of(kind, about))

    await desk.store.write(desk.workspace, record)
    every = await desk.store.read(desk.workspace, lambda tx: events.all_after_ignoring_visibility(tx, 0, 10_000))
    dora = await desk.person("Dora", Role.VIEWER)
    agent = bea._replace(user_id=happened["userId"])
    owner = await desk.person("Olga", Role.OWNER)
    for person in (ada, bea, dora, agent, owner, ada._replace(scopes=TOKEN_SCOPES), bea._replace(scopes=TOKEN_SCOPES)):
        expected = [event.kind for event in every if was_seen(person, event)]
        assert await forward(desk, person, 97) == expected
        assert await backward(desk, person, 97) == expected[::-1]


def event_of(kind, about_user_id):
    """As its writer records it: the user is the object, or stands in the data as `user`, or nowhere."""
    data_type = DATA_TYPES.get(kind)
    named = data_type is not None and "user" in data_type.__slots__
    wire = {"user": about_user_id} if named and about_user_id else {}
    private = kind in PRIVATE_KINDS and not kind.startswith("invite.") and kind != "token.handed_over"
    return Event(
        kind,
        object_id=about_user_id if private and not named and about_user_id else "an-object",
        data=data_type.from_wire(wire) if data_type else {},
        about_user_id=about_user_id if private else None,
    )


async def test_the_query_and_the_rule_say_the_same_of_every_event(desk, ada, bea, happened):
    def look(tx):
        every = events.all_after_ignoring_visibility(tx, 0, 1_000)
        for person in (ada, bea, bea._replace(user_id=happened["userId"]), ada._replace(scopes=TOKEN_SCOPES)):
            viewer = viewer_of(person)
            by_rule = [
                event.seq for event in every if viewer.can_see_event(event.kind, event.actor_id, event.about_user_id)
            ]
            assert by_rule == [event.seq for event in every if was_seen(person, event)]
            page, _ = events.page_and_scanned_upto_seq(tx, 0, 1_000, EventFilter(), viewer)
            rows, _ = log.page_and_lowest_searched_seq(tx, every[-1].seq + 1, EventFilter(), viewer, 1_000)
            assert [event.seq for event in page] == by_rule == [row.seq for row in rows][::-1]
        return len(every)

    assert await desk.store.read(desk.workspace, look) > 8


async def test_no_export_has_any_of_it(desk, ada, happened):
    content = await exported(desk, ada, "HAR")
    assert b"note.created" in content
    assert not [kind for kind in PRIVATE_KINDS if kind.encode() in content]


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
