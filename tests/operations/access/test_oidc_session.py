import asyncio

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import Forbidden
from pendesk.domain.oidc import Identity
from pendesk.operations.access.start_oidc_session import JoinPolicy
from pendesk.store import people
from tests.callers import find_session, start_oidc_session
from tests.refusals import refused

NOBODY = JoinPolicy(frozenset(), Role.MEMBER)


async def identity_of(desk, person, subject="subject"):
    user = await desk.store.read("", lambda tx: people.user(tx, person.user_id))
    return Identity("https://id.example.com", f"{subject}-{desk.workspace}", user.email, "Ada")


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


async def test_a_member_gets_a_session_that_proves_them(desk, ada):
    identity = await identity_of(desk, ada)
    actor = await find_session(desk.dispatcher, await start_oidc_session(desk.dispatcher, identity, NOBODY, "Firefox"))
    assert actor is not None
    assert (actor.user_id, actor.workspace_id) == (ada.user_id, desk.workspace)
    listed = (await desk.call(actor, "list_sessions"))["sessions"]
    assert [(each["beganBy"], each["browser"]) for each in listed] == [("oidc", "Firefox")]
    kinds = [each["kind"] for each in (await desk.call(ada, "list_events"))["events"]]
    assert kinds == ["user.linked", "session.started"]


async def test_many_at_once_are_linked_once(desk, ada):
    identity = await identity_of(desk, ada)
    started = [start_oidc_session(desk.dispatcher, identity, NOBODY) for _ in range(10)]
    assert all(await asyncio.gather(*started))
    kinds = [each["kind"] for each in (await desk.call(ada, "list_events", limit=50))["events"]]
    assert kinds.count("user.linked") == 1


async def test_another_subject_does_not_take_a_linked_account(desk, ada):
    await start_oidc_session(desk.dispatcher, await identity_of(desk, ada), NOBODY)
    with refused(Forbidden, "another_person"):
        await start_oidc_session(desk.dispatcher, await identity_of(desk, ada, "other"), NOBODY)


async def test_of_two_subjects_with_one_address_at_once_one_gets_the_account(desk, ada):
    both = [await identity_of(desk, ada, subject) for subject in ("one", "other")]
    started = [start_oidc_session(desk.dispatcher, each, NOBODY) for each in both * 5]
    done = await asyncio.gather(*started, return_exceptions=True)
    assert sum(isinstance(each, str) for each in done) == 5
    assert sum(isinstance(each, Forbidden) for each in done) == 5


async def test_who_is_not_here_is_refused(desk):
    for email in (None, f"nobody-{desk.workspace}@example.com"):
        with refused(Forbidden, "not_a_member"):
            identity = Identity("https://id.example.com", f"x-{desk.workspace}", email, "X")
            await start_oidc_session(desk.dispatcher, identity, NOBODY)
