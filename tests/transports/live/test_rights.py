"""Who may open a stream, and when one is closed."""

import pytest

from pendesk.domain.access import Role, Scope
from tests.callers import end_session
from tests.desk import SECOND
from tests.transports.live.follower import following


async def test_a_token_without_the_scope_is_refused_with_its_name(live):
    token = await live.token_of(live.owner, scopes=["specs.read", "builds.write"])
    answer = await live.get({"authorization": f"Bearer {token}"})
    assert answer.status_code == 403
    assert f'error="insufficient_scope", scope="{Scope.DESK_READ}"' in answer.headers["www-authenticate"]


async def test_nobody_and_bad_credentials_are_401(live):
    for headers in ({}, {"authorization": "Bearer x"}, {"cookie": "pendesk_session=x"}, {"cookie": "other=x"}):
        answer = await live.get(headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer resource_metadata=")


async def test_a_session_cookie_opens_a_stream_for_our_own_pages_only(live):
    cookie = {"cookie": f"pendesk_session={await live.session_of(live.owner)}"}
    async with following(live.url, {**cookie, "origin": live.url}) as follower:
        await follower.ready()
        await live.note()
        assert (await follower.event())["kind"] == "note.created"
    assert (await live.get({**cookie, "origin": "https://evil.test"})).status_code == 403


async def test_a_bad_token_beside_a_good_cookie_is_401(live):
    cookie = {"cookie": f"pendesk_session={await live.session_of(live.owner)}"}
    assert (await live.get({**cookie, "authorization": "Bearer x"})).status_code == 401


async def by_token(live, person):
    return {"authorization": f"Bearer {await live.token_of(person)}"}


async def by_session(live, person):
    return {"cookie": f"pendesk_session={await live.session_of(person)}"}


@pytest.mark.parametrize("credential", [by_token, by_session])
async def test_a_removed_members_stream_ends_and_shows_nothing_from_the_removal_on(live, credential):
    person = await live.desk.person("Grace")
    headers = await credential(live, person)
    async with following(live.url, headers) as theirs, live.follow() as mine:
        await theirs.ready()
        await mine.ready()
        await live.note("Before")
        assert (await theirs.event())["kind"] == "note.created"
        await live.desk.call(live.owner, "remove_member", user_pid=person.user_id)
        await live.note("After")
        assert await theirs.until_end() == ([], "rights_changed")
        kinds = [(await mine.event())["kind"] for _ in range(3)]
        assert kinds == ["note.created", "member.removed", "note.created"]
    assert (await live.get(headers)).status_code == 401


@pytest.mark.parametrize("credential", [by_token, by_session])
async def test_a_changed_role_ends_the_stream_and_the_next_one_has_the_new_role(live, credential):
    person = await live.desk.person("Grace")
    headers = await credential(live, person)
    async with following(live.url, headers) as theirs:
        await theirs.ready()
        await live.desk.call(live.owner, "change_role", user_pid=person.user_id, role="viewer")
        assert await theirs.until_end() == ([], "rights_changed")
        number = theirs.id
    async with following(live.url, {**headers, "last-event-id": str(number)}) as again:
        await again.ready()
        assert (await again.event())["kind"] == "member.role_changed"


async def test_a_revoked_token_ends_its_streams_and_no_others(live):
    made = await live.desk.call(live.owner, "create_token", name="y", scopes=["desk.read"])
    async with live.follow(made["token"]) as theirs, live.follow() as mine:
        await theirs.ready()
        await mine.ready()
        await live.desk.call(live.owner, "revoke_token", token_id=made["tokenId"])
        assert await theirs.until_end() == ([], "rights_changed")
        assert (await mine.event())["kind"] == "token.revoked"


async def test_an_expired_token_ends_its_stream_though_nothing_happens(live):
    made = await live.desk.call(live.owner, "create_token", name="y", scopes=["desk.read"], expires_in_days=1)
    async with live.follow(made["token"]) as follower:
        await follower.ready()
        live.desk.clock.forward(24 * 3600 * SECOND)
        assert await follower.until_end() == ([], "rights_changed")


async def test_signing_out_ends_the_streams_of_that_session_only(live):
    first, second = await live.session_of(live.owner), await live.session_of(live.owner)
    async with (
        following(live.url, {"cookie": f"pendesk_session={first}"}) as one,
        following(live.url, {"cookie": f"pendesk_session={second}"}) as two,
    ):
        await one.ready()
        await two.ready()
        await end_session(live.desk.dispatcher, first)  # without an event
        assert await one.until_end() == ([], "rights_changed")
        await live.note()
        assert (await two.event())["kind"] == "note.created"


async def test_a_user_has_so_many_streams_and_gets_one_back_when_one_ends(live):
    live.streams.per_user = 2
    headers = {"authorization": f"Bearer {live.token}"}
    other = await live.token_of(await live.desk.person("Grace", Role.VIEWER))
    async with live.follow() as one, live.follow(await live.token_of(live.owner)) as two:
        await one.ready()
        await two.ready()
        answer = await live.get(headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many_streams")
        assert answer.headers["retry-after"] == "10"
        async with live.follow(other) as theirs:
            await theirs.ready()
    await live.closed()
    async with live.follow() as one:
        await one.ready()


async def test_a_process_has_so_many_streams(live):
    live.streams.per_process = 1
    async with live.follow() as one:
        await one.ready()
        answer = await live.get({"authorization": f"Bearer {live.token}"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "too_many_streams")
        assert answer.headers["retry-after"] == "10"


async def test_a_stream_that_is_refused_takes_no_place(live):
    live.streams.per_user = 1
    for _ in range(3):
        assert (await live.get({"authorization": f"Bearer {live.token}"}, kind="x")).status_code == 422
    assert live.streams.count_open() == 0
