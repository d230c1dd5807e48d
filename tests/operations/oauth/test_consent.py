import asyncio

from pendesk.domain.people import Member
from pendesk.store import people
from tests.callers import answer_consent, open_consent
from tests.desk import MINUTE
from tests.operations.oauth.granting import asked, session_of
from tests.workbench import next_door


async def answer(desk, ticket, session, person, *, allowed=True, workspace=None):
    chosen = workspace or person.workspace_id
    return await answer_consent(desk.dispatcher, ticket, session, person.user_id, chosen, allowed)


async def test_a_page_is_answered_once(desk, person, client):
    session = await session_of(desk, person)
    ticket = await open_consent(desk.dispatcher, session, asked(desk, client))
    outcomes = await asyncio.gather(*(answer(desk, ticket, session, person) for _ in range(20)))
    assert sum(outcome is not None for outcome in outcomes) == 1


async def test_a_no_gives_no_code_and_is_final(desk, person, client):
    session = await session_of(desk, person)
    ticket = await open_consent(desk.dispatcher, session, asked(desk, client))
    said = await answer(desk, ticket, session, person, allowed=False)
    assert said.code is None
    assert await answer(desk, ticket, session, person) is None


async def test_only_the_session_that_saw_the_page_answers_it(desk, person, client):
    mallory = await desk.person("Mallory")
    hers, own = await session_of(desk, mallory), await session_of(desk, person)
    ticket = await open_consent(desk.dispatcher, hers, asked(desk, client))
    assert await answer(desk, ticket, own, person) is None
    other = await session_of(desk, mallory)
    assert await answer(desk, ticket, other, mallory) is None
    assert (await answer(desk, ticket, hers, mallory)).code


async def test_a_page_grows_old(desk, person, client):
    session = await session_of(desk, person)
    ticket = await open_consent(desk.dispatcher, session, asked(desk, client))
    desk.clock.forward(10 * MINUTE)
    assert await answer(desk, ticket, session, person) is None


async def test_a_made_up_ticket_is_nothing(desk, person):
    session = await session_of(desk, person)
    for ticket in ("", "x", "\x00" * 3, "x" * 9_000):
        assert await answer(desk, ticket, session, person) is None


async def test_a_password_opens_all_workspaces_and_a_link_only_its_own(desk, person, client):
    other = await next_door(desk)
    stranger = await next_door(desk)
    member = Member(person.user_id, "viewer", desk.clock(), None)
    await other.store.write(other.workspace, lambda tx: people.add_member(tx, member))
    for everywhere, workspace, works in (
        (True, desk.workspace, True),
        (True, other.workspace, True),
        (True, stranger.workspace, False),
        (False, desk.workspace, True),
        (False, other.workspace, False),
        (False, "", False),
    ):
        session = await session_of(desk, person, everywhere=everywhere)
        ticket = await open_consent(desk.dispatcher, session, asked(desk, client))
        said = await answer(desk, ticket, session, person, workspace=workspace or "nowhere")
        assert (said is not None) is works, (everywhere, workspace)


async def test_who_is_no_member_any_more_cannot_agree(desk, person, client):
    owner = await desk.person("Owner", role=type(person.role).OWNER)
    session = await session_of(desk, person)
    ticket = await open_consent(desk.dispatcher, session, asked(desk, client))
    await desk.call(owner, "remove_member", user_pid=person.user_id)
    assert await answer(desk, ticket, session, person) is None
