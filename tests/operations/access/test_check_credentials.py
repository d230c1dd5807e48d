"""Whether tokens and sessions of open streams are still good: one read for all of them."""

from pendesk.domain import token
from pendesk.domain.access import Role
from pendesk.domain.limits import DAY_US
from pendesk.operations.access import check_credentials
from pendesk.operations.access.check_credentials import Hashes, Roles
from tests.callers import end_session, start_session


async def test_the_good_ones_are_given_with_their_role(desk):
    ada = await desk.person("Ada")
    created = await desk.call(ada, "create_token", name="laptop")
    link = await desk.call(ada, "create_sign_in_link")
    session = await start_session(desk.dispatcher, link["url"].partition("code=")[2])
    assert session is not None
    of_token, of_session, unknown = (token.hash_secret(text) for text in (created["token"], session, "unknown"))

    async def check(tokens, sessions):
        return await desk.dispatcher.call_as_server(check_credentials.OPERATION, Hashes(tokens, sessions))

    assert await check([of_token, unknown], [of_session, unknown]) == Roles(
        {of_token: "member"}, {of_session: "member"}
    )
    assert await check([], []) == Roles({}, {})
    await desk.call(ada, "revoke_token", token_id=created["tokenId"])
    await end_session(desk.dispatcher, session)
    assert await check([of_token], [of_session]) == Roles({}, {})


async def test_a_token_that_ends_is_good_until_then(desk):
    ada = await desk.person("Ada")
    created = await desk.call(ada, "create_token", name="laptop", expires_in_days=1)
    hashes = Hashes([token.hash_secret(created["token"])], [])
    for waits_us, roles in ((DAY_US - 1, {hashes.tokens[0]: "member"}), (1, {})):
        desk.clock.forward(waits_us)
        assert await desk.dispatcher.call_as_server(check_credentials.OPERATION, hashes) == Roles(roles, {})
        preview = await desk.call(await desk.person("Owner", Role.OWNER), "preview_removal", user_pid=ada.user_id)
        assert preview["own"]["tokens"] == len(roles)
