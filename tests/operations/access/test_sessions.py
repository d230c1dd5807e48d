from pendesk.domain.access import Role
from pendesk.domain.errors import NotFound, RuleBroken
from pendesk.store import people
from tests.callers import find_session, start_password_session, start_session
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import join_next_door, next_door

PASSWORD = "correct horse battery"


async def by_link(desk, person, maker=None, browser="Firefox"):
    made = await desk.call(maker or person, "create_sign_in_link", user_pid=person.user_id)
    secret = await start_session(desk.dispatcher, made["url"].partition("code=")[2], browser)
    assert secret is not None
    return secret


async def email_of(desk, person):
    return (await desk.store.read("", lambda tx: people.user(tx, person.user_id))).email


async def by_password(desk, person, password=PASSWORD):
    return await start_password_session(desk.dispatcher, await email_of(desk, person), password, "Chrome")


async def entered(desk, secret):
    actor = await find_session(desk.dispatcher, secret)
    assert actor is not None
    return actor


async def test_sessions_are_listed_with_the_current_one_and_revoked_one_by_one(desk):
    ada = await desk.person("Ada")
    first = await entered(desk, await by_link(desk, ada, browser="Fire\x1b[31mfox" + "x" * 1_000))
    desk.clock.forward(MINUTE)
    second_secret = await by_link(desk, ada, browser="Safari")
    listed = (await desk.call(first, "list_sessions"))["sessions"]
    assert [each["browser"][:10] for each in listed] == ["Safari", "Fire[31mfo"]
    assert [each["current"] for each in listed] == [False, True]
    assert len(listed[1]["browser"]) == 200
    await desk.call(first, "revoke_session", session_id=listed[0]["sessionId"])
    assert await find_session(desk.dispatcher, second_secret) is None
    with refused(NotFound):
        await desk.call(first, "revoke_session", session_id=listed[0]["sessionId"])
    assert [each["current"] for each in (await desk.call(first, "list_sessions"))["sessions"]] == [True]
    events = await desk.call(ada, "list_events", limit=50)
    assert "session.ended" in [each["kind"] for each in events["events"]]


async def test_nobody_sees_or_ends_the_sessions_of_others(desk):
    ada, owner = await desk.person("Ada"), await desk.person("Owner", Role.OWNER)
    secret = await by_link(desk, ada)
    session = (await entered(desk, secret)).session_id
    assert (await desk.call(owner, "list_sessions"))["sessions"] == []
    with refused(NotFound):
        await desk.call(owner, "revoke_session", session_id=session)
    assert await find_session(desk.dispatcher, secret) is not None


async def test_a_new_password_ends_the_other_sessions_and_the_unused_links(desk):
    ada = await desk.person("Ada")
    await desk.call(ada, "set_password", password=PASSWORD)
    here, there = await by_password(desk, ada), await by_password(desk, ada)
    link = (await desk.call(ada, "create_sign_in_link"))["url"].partition("code=")[2]
    bob = await desk.person("Bob")
    other = await by_link(desk, bob)
    await desk.call(await entered(desk, here), "set_password", password="another long password")
    assert await find_session(desk.dispatcher, here) is not None
    assert await find_session(desk.dispatcher, there) is None
    assert await start_session(desk.dispatcher, link) is None
    assert await find_session(desk.dispatcher, other) is not None


async def test_a_password_that_an_admin_sets_ends_all_sessions_of_the_member(desk):
    ada, owner = await desk.person("Ada"), await desk.person("Owner", Role.OWNER)
    theirs, own = await by_link(desk, ada), await by_link(desk, owner)
    await desk.call(await entered(desk, own), "set_password", password=PASSWORD, user_pid=ada.user_id)
    assert await find_session(desk.dispatcher, theirs) is None
    assert await find_session(desk.dispatcher, own) is not None


async def test_an_admin_who_opens_a_members_link_gets_no_password_for_their_other_workspaces(desk):
    """The link speaks for the person in one workspace; a password would speak for them in all."""
    ada = await desk.person("Ada")
    other = await next_door(desk)
    stranger = await other.person("Stranger", Role.OWNER)
    await join_next_door(other, stranger, ada)
    as_ada = await entered(other, await by_link(other, ada, maker=stranger))
    with refused(RuleBroken, "not_only_here"):
        await other.call(as_ada, "set_password", password="the stranger knows this")
    assert await by_password(desk, ada, "the stranger knows this") is None


async def test_who_proved_the_password_may_change_it_wherever_they_belong(desk):
    ada = await desk.person("Ada")
    await desk.call(ada, "set_password", password=PASSWORD)
    other = await next_door(desk)
    stranger = await other.person("Stranger", Role.OWNER)
    await join_next_door(other, stranger, ada)
    linked = await by_link(other, ada, maker=stranger)
    proven = await entered(desk, await by_password(desk, ada))
    await desk.call(proven, "set_password", password="another long password")
    assert await find_session(desk.dispatcher, linked) is None
    assert await by_password(desk, ada, "another long password") is not None
