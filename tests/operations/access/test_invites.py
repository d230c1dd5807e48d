import asyncio

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, NotFound, RoleForbids, RuleBroken
from pendesk.domain.limits import INVITE_US
from pendesk.store import invites, people
from tests.callers import (
    accept_invite_as_known_user,
    accept_invite_as_new_user,
    find_invite,
    find_session,
    start_password_session,
)
from tests.refusals import refused
from tests.workbench import join_next_door, next_door

TOLD = {"name": "Bob", "password": "correct horse battery"}


@pytest.fixture
async def owner(desk):
    return await desk.person("Owner", Role.OWNER)


async def invite(desk, actor, **asked):
    made = await desk.call(actor, "invite_member", **{"email": f"Bob-{desk.workspace}@Example.com", **asked})
    assert made["url"].startswith("http://127.0.0.1:3847/invite?code=")
    return made["url"].partition("code=")[2], made


async def join(desk, code, **told):
    return await accept_invite_as_new_user(desk.dispatcher, code, {**TOLD, **told})


async def test_an_invite_makes_one_member_with_a_password(desk, owner):
    code, made = await invite(desk, owner, role="viewer")
    assert [each["inviteId"] for each in (await desk.call(owner, "list_invites"))["invites"]] == [made["inviteId"]]
    actor = await find_session(desk.dispatcher, await join(desk, code))
    assert actor is not None
    assert (actor.user_name, actor.role, actor.workspace_id) == ("Bob", Role.VIEWER, desk.workspace)
    assert (await desk.call(owner, "list_invites"))["invites"] == []
    assert await join(desk, code) is None
    assert await start_password_session(desk.dispatcher, made["email"], TOLD["password"]) is not None
    events = (await desk.call(owner, "list_events", limit=50))["events"]
    kinds = [each["kind"] for each in events]
    assert kinds[-5:-1] == ["invite.created", "member.added", "user.created", "session.started"]
    assert code not in str(events)
    assert TOLD["password"] not in str(events)


async def test_of_many_who_accept_at_once_one_joins(desk, owner):
    code, _ = await invite(desk, owner)
    done = await asyncio.gather(*(join(desk, code) for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(each, str) for each in done) == 1


async def test_what_makes_no_sense_leaves_the_invite_as_it_was(desk, owner):
    code, _ = await invite(desk, owner)
    for told in ({"name": " "}, {"name": "a\nb"}, {"password": "short"}, {"password": "x" * 201}, {"name": "a\x00"}):
        with refused(BadField):
            await join(desk, code, **told)
    assert await join(desk, code)


async def test_it_ends_after_a_week_or_when_it_is_taken_back(desk, owner):
    code, made = await invite(desk, owner)
    await desk.call(owner, "revoke_invite", invite_id=made["inviteId"])
    await desk.call(owner, "revoke_invite", invite_id=made["inviteId"])
    assert await join(desk, code) is None
    late, _ = await invite(desk, owner)
    desk.clock.forward(INVITE_US - 1)
    assert await find_invite(desk.dispatcher, late) is not None
    desk.clock.forward(1)
    assert await join(desk, late) is None
    await desk.store.write("", invites.delete_expired)
    for code in ("", "x" * 43):
        assert await join(desk, code) is None


async def test_nobody_gives_a_role_above_their_own_nor_after_losing_it(desk, owner):
    admin, member = await desk.person("Admin", Role.ADMIN), await desk.person("Member")
    with refused(RoleForbids):
        await invite(desk, member)
    with refused(RoleForbids):
        await invite(desk, admin, role="owner")
    code, _ = await invite(desk, admin, role="admin")
    await desk.call(owner, "change_role", user_pid=admin.user_id, role="member")
    assert await join(desk, code) is None
    await desk.call(owner, "change_role", user_pid=admin.user_id, role="admin")
    assert await find_invite(desk.dispatcher, code) is not None
    await desk.call(owner, "remove_member", user_pid=admin.user_id)
    assert await join(desk, code) is None
    # Nor when they come back: what they gave away before stays ended.
    email = (await desk.store.read("", lambda tx: people.user(tx, admin.user_id))).email
    await desk.call(owner, "create_user", name="Admin", email=email, role="admin")
    assert await join(desk, code) is None


async def test_an_invite_sets_no_password_of_an_account_that_exists(desk, owner):
    ada = await desk.person("Ada")
    email = (await desk.store.read("", lambda tx: people.user(tx, ada.user_id))).email
    with refused(RuleBroken, "already_member"):
        await invite(desk, owner, email=email)
    other = await next_door(desk)
    stranger = await other.person("Stranger", Role.OWNER)
    code, _ = await invite(other, stranger, email=email)
    with refused(RuleBroken, "account_exists"):
        await join(other, code)
    bob = await desk.person("Bob")
    with refused(RuleBroken, "not_for_you"):
        await accept_invite_as_known_user(desk.dispatcher, code, bob.user_id)
    assert await accept_invite_as_known_user(desk.dispatcher, code, ada.user_id)
    assert not await accept_invite_as_known_user(desk.dispatcher, code, ada.user_id)
    assert "Ada" in [each["name"] for each in (await other.call(stranger, "list_members"))["members"]]


async def test_an_invite_of_another_workspace_is_not_there(desk, owner):
    other = await next_door(desk)
    stranger = await other.person("Stranger", Role.OWNER)
    _, made = await invite(other, stranger)
    with refused(NotFound):
        await desk.call(owner, "revoke_invite", invite_id=made["inviteId"])
    assert (await desk.call(owner, "list_invites"))["invites"] == []


async def test_one_who_was_removed_begins_anew_with_the_old_account(desk, owner):
    first, made = await invite(desk, owner)
    before = await find_session(desk.dispatcher, await join(desk, first) or "")
    assert before is not None
    again, _ = await invite_after_removal(desk, owner, before)
    with refused(BadField):
        await join(desk, again, password="short")
    after = await find_session(
        desk.dispatcher, await join(desk, again, name="Robert", password="another password") or ""
    )
    assert after is not None
    assert (after.user_id, after.user_name) == (before.user_id, "Bob")
    assert await start_password_session(desk.dispatcher, made["email"], TOLD["password"]) is None
    # One who belongs elsewhere too has another way in, and takes it.
    other = await next_door(desk)
    stranger = await other.person("Stranger", Role.OWNER)
    await join_next_door(other, stranger, after)
    third, _ = await invite_after_removal(desk, owner, after)
    with refused(RuleBroken, "account_exists"):
        await join(desk, third)


async def invite_after_removal(desk, owner, person):
    await desk.call(owner, "remove_member", user_pid=person.user_id)
    return await invite(desk, owner)
