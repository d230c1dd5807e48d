import asyncio

from pendesk.domain.access import ALL_SCOPES, Role
from pendesk.domain.errors import RoleForbids, RuleBroken
from pendesk.domain.limits import DAY_US, SESSION_US
from pendesk.operations.access.start_session import StartSession
from pendesk.store import sign_in
from tests.callers import by_secret, end_session, find_session, start_session
from tests.desk import MINUTE
from tests.refusals import refused


async def make_code(desk, actor, **asked):
    link = await desk.call(actor, "create_sign_in_link", **asked)
    address, _, code = link["url"].partition("?code=")
    assert address == "http://127.0.0.1:3847/sign-in"
    return code


async def enter(desk, code) -> str:
    """Use the link, which must work."""
    secret = await start_session(desk.dispatcher, code)
    assert secret is not None
    return secret


async def test_a_link_starts_one_session(desk):
    ada = await desk.person("Ada", Role.ADMIN)
    code = await make_code(desk, ada)
    secret = await enter(desk, code)
    actor = await find_session(desk.dispatcher, secret)
    assert actor is not None
    assert (actor.user_id, actor.role, actor.via, actor.scopes) == (ada.user_id, Role.ADMIN, "web", ALL_SCOPES)
    assert await start_session(desk.dispatcher, code) is None
    kinds = [each["kind"] for each in (await desk.call(ada, "list_events"))["events"]]
    assert kinds == ["sign_in_link.created", "session.started"]


async def test_whether_anybody_has_signed_in_is_remembered_for_good(desk):
    ask = lambda: desk.store.read(desk.workspace, sign_in.has_anybody_signed_in)  # noqa: E731
    code = await make_code(desk, await desk.person("Ada"))
    assert not await ask()
    await end_session(desk.dispatcher, await enter(desk, code))
    assert await ask()
    desk.clock.forward(SESSION_US + DAY_US)
    await desk.store.write("", sign_in.delete_expired_links_and_sessions)
    assert await ask()


async def test_of_many_at_once_one_is_signed_in(desk):
    code = await make_code(desk, await desk.person("Ada"))
    secrets = await asyncio.gather(*(start_session(desk.dispatcher, code) for _ in range(20)))
    assert sum(secret is not None for secret in secrets) == 1


async def test_a_link_lives_for_15_minutes(desk):
    ada = await desk.person("Ada")
    early, late = await make_code(desk, ada), await make_code(desk, ada)
    desk.clock.forward(15 * MINUTE - 1)
    assert await start_session(desk.dispatcher, early) is not None
    desk.clock.forward(1)
    assert await start_session(desk.dispatcher, late) is None


async def test_a_session_lives_for_30_days_or_until_it_is_ended(desk):
    ada = await desk.person("Ada")
    first = await enter(desk, await make_code(desk, ada))
    second = await enter(desk, await make_code(desk, ada))
    await end_session(desk.dispatcher, first)
    assert await find_session(desk.dispatcher, first) is None
    desk.clock.forward(SESSION_US - 1)
    assert await find_session(desk.dispatcher, second) is not None
    desk.clock.forward(1)
    assert await find_session(desk.dispatcher, second) is None


async def test_unknown_secrets_open_nothing(desk):
    assert await start_session(desk.dispatcher, "") is None
    assert await start_session(desk.dispatcher, "x" * 43) is None
    assert await find_session(desk.dispatcher, "x" * 43) is None


async def test_only_hashes_are_stored(desk):
    code = await make_code(desk, await desk.person("Ada"))
    secret = await start_session(desk.dispatcher, code)

    def every_text(tx):
        return str(tx.all("SELECT hash FROM sign_in_links") + tx.all("SELECT hash FROM sessions"))

    stored = await desk.store.read(desk.workspace, every_text)
    assert code not in stored
    assert secret not in stored


async def test_nobody_signs_in_as_their_equal_or_better(desk):
    owner, admin, other, ada = [
        await desk.person(str(role), role) for role in (Role.OWNER, Role.ADMIN, Role.ADMIN, Role.MEMBER)
    ]
    await make_code(desk, owner, user_pid=admin.user_id)
    await make_code(desk, admin, user_pid=ada.user_id)
    for actor, member in [(admin, owner), (admin, other), (ada, admin)]:
        with refused(RoleForbids):
            await make_code(desk, actor, user_pid=member.user_id)
    bot = await desk.call(owner, "create_user", name="Bot", kind="agent")
    with refused(RuleBroken, "agent_account"):
        await make_code(desk, owner, user_pid=bot["userId"])


async def test_what_is_over_is_forgotten(desk):
    ada = await desk.person("Ada")
    secret = await enter(desk, await make_code(desk, ada))
    desk.clock.forward(DAY_US)
    await desk.store.write("", sign_in.delete_expired_links_and_sessions)
    assert await find_session(desk.dispatcher, secret) is not None
    links = "SELECT count(*) FROM sign_in_links WHERE workspace_id = :workspace"
    assert await desk.store.read(desk.workspace, lambda tx: tx.one(links)) == (0,)


async def test_only_the_first_to_sign_in_gives_a_name_with_the_link(desk):
    ada = await desk.person("Ada", Role.OWNER)
    code = await make_code(desk, ada)
    assert await by_secret(desk.dispatcher, "find_name_of_first_to_sign_in", code) == "Ada"
    assert await by_secret(desk.dispatcher, "find_name_of_first_to_sign_in", "x" * 43) is None
    secret = await by_secret(desk.dispatcher, "start_session", StartSession(code, name="Ada Lovelace"))
    assert (await by_secret(desk.dispatcher, "find_session", secret)).user_name == "Ada Lovelace"
    later = await make_code(desk, ada)
    assert await by_secret(desk.dispatcher, "find_name_of_first_to_sign_in", later) is None
    secret = await by_secret(desk.dispatcher, "start_session", StartSession(later, name="Mallory"))
    assert (await by_secret(desk.dispatcher, "find_session", secret)).user_name == "Ada Lovelace"
