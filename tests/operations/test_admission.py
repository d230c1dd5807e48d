"""What is under way when somebody is shut out is written before that, or not at all."""

import asyncio

import pytest

from pendesk.domain.access import TOKEN_SCOPES, Role
from pendesk.domain.errors import Refusal, RoleForbids, Unauthenticated
from tests.callers import end_session, find_session, start_session
from tests.events import events_of
from tests.refusals import refused


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada", Role.OWNER)


@pytest.fixture
async def grace(desk):
    return await desk.person("Grace", Role.ADMIN)


@pytest.fixture
async def agent(desk, grace):
    """Grace's, let in before anything else happens."""
    created = await desk.call(grace, "create_token", name="CI", scopes=sorted(TOKEN_SCOPES))
    return grace._replace(via="mcp", scopes=TOKEN_SCOPES, token_id=created["tokenId"])


@pytest.fixture
async def browser(desk, grace):
    """Grace's, signed in: the actor and the cookie."""
    code = (await desk.call(grace, "create_sign_in_link"))["url"].partition("code=")[2]
    secret = await start_session(desk.dispatcher, code)
    assert secret is not None
    return await find_session(desk.dispatcher, secret), secret


async def write(desk, actor, project, title="Late"):
    return await desk.call(actor, "create_note", project_id=project["pid"], title=title)


async def notes(desk, actor, project):
    return [note["title"] for note in (await desk.call(actor, "list_notes", project_id=project["pid"]))["notes"]]


async def test_a_token_that_was_revoked_since_it_was_let_in_writes_nothing(desk, ada, agent, project):
    await write(desk, agent, project, "In time")
    await desk.call(ada, "revoke_token", token_id=agent.token_id)
    with refused(Unauthenticated) as caught:
        await write(desk, agent, project)
    assert caught.refusal.details["sent"]
    assert await notes(desk, ada, project) == ["In time"]


async def test_a_sign_in_that_ended_writes_nothing(desk, ada, browser, project):
    actor, secret = browser
    await write(desk, actor, project, "In time")
    await end_session(desk.dispatcher, secret)
    with refused(Unauthenticated):
        await write(desk, actor, project)
    assert await notes(desk, ada, project) == ["In time"]


async def test_a_member_who_was_removed_writes_nothing(desk, ada, grace, agent, browser, project):
    await desk.call(ada, "remove_member", user_pid=grace.user_id)
    for actor in (agent, browser[0]):
        with refused(Unauthenticated):
            await write(desk, actor, project)
    assert await notes(desk, ada, project) == []


async def test_a_lower_role_counts_for_what_is_under_way(desk, ada, grace, agent, browser, project):
    await desk.call(ada, "change_role", user_pid=grace.user_id, role="viewer", end_owned=True)
    for actor in (agent, browser[0]):
        with refused(RoleForbids):
            await write(desk, actor, project)
    with refused(RoleForbids):  # an admin when they were let in
        await desk.call(browser[0], "create_webhook", url="https://example.com/x")


@pytest.mark.parametrize("ends", ["token", "member"])
async def test_of_many_writes_none_comes_after_the_end_in_the_log(desk, ada, grace, agent, project, ends):
    async def attempt(number):
        try:
            await write(desk, agent, project, f"Note {number}")
        except Refusal as refusal:
            return refusal

    async def shut_out():
        if ends == "token":
            await desk.call(ada, "revoke_token", token_id=agent.token_id)
        else:
            await desk.call(ada, "remove_member", user_pid=grace.user_id)

    begin = [attempt(number) for number in range(20)]
    outcomes = await asyncio.gather(*begin, shut_out(), *(attempt(number) for number in range(20, 60)))
    [end] = await events_of(desk, ada, "token.revoked" if ends == "token" else "member.removed")
    written = await events_of(desk, ada, "note.created")
    assert len(written) == 60 - sum(isinstance(outcome, Refusal) for outcome in outcomes)
    assert [event["seq"] for event in written if event["seq"] > end["seq"]] == []
