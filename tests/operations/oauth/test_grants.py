from pendesk.clock import to_iso
from pendesk.domain.access import BUILDING_SCOPES, Role
from pendesk.domain.errors import MissingScope, NotFound, RoleForbids
from pendesk.domain.oauth import OAuthClient
from pendesk.ids import new_id
from pendesk.operations.housekeeping import delete_old_oauth_state
from pendesk.store import clients
from tests.callers import find_client, register_client
from tests.desk import MINUTE
from tests.operations.oauth.granting import DAY, client_of, let_in
from tests.operations.oauth.test_redeem_code import is_good
from tests.operations.oauth.test_refresh_grant import refresh
from tests.refusals import refused
from tests.workbench import next_door


async def test_a_person_sees_and_ends_their_own(desk, person):
    client = await client_of(desk)
    first, second = [await let_in(desk, person, client) for _ in range(2)]
    listed = (await desk.call(person, "list_grants"))["grants"]
    assert len(listed) == 2
    ended = await desk.call(person, "revoke_grant", grant_id=listed[1]["grantId"])
    assert ended["revokedAt"]
    assert await desk.call(person, "revoke_grant", grant_id=listed[1]["grantId"]) == ended
    assert not await is_good(desk, first.access_token)
    assert await is_good(desk, second.access_token)
    assert len((await desk.call(person, "list_grants"))["grants"]) == 1


async def test_it_says_when_it_was_used_last_also_after_its_tokens_are_gone(desk, person):
    client = await client_of(desk)
    issued = await let_in(desk, person, client)

    async def last_used():
        [grant] = (await desk.call(person, "list_grants"))["grants"]
        return grant.get("lastUsedAt")

    assert await last_used() is None
    desk.clock.forward(MINUTE)
    assert await is_good(desk, issued.access_token)
    used_at = await last_used()
    assert used_at == to_iso(desk.clock())
    desk.clock.forward(MINUTE)
    await refresh(desk, issued.refresh_token, client)
    assert await last_used() == to_iso(desk.clock())
    desk.clock.forward(2 * DAY)
    refreshed_at = await last_used()
    await desk.dispatcher.call_as_server(delete_old_oauth_state.OPERATION, None)
    assert await last_used() == refreshed_at


async def test_nobody_elses(desk, person):
    other, admin = await desk.person("Bob"), await desk.person("Eve", role=Role.ADMIN)
    issued = await let_in(desk, person, await client_of(desk))
    [grant] = (await desk.call(person, "list_grants"))["grants"]
    with refused(NotFound):
        await desk.call(other, "revoke_grant", grant_id=grant["grantId"])
    with refused(RoleForbids):
        await desk.call(other, "list_grants", user_pid=person.user_id)
    assert (await desk.call(other, "list_grants", everyone=True))["grants"] == []
    outside = await next_door(desk)
    stranger = await outside.person("Zed", role=Role.OWNER)
    for ident in (grant["grantId"], new_id(), "x"):
        with refused(NotFound):
            await outside.call(stranger, "revoke_grant", grant_id=ident)
    assert (await outside.call(stranger, "list_grants", everyone=True))["grants"] == []
    assert await is_good(desk, issued.access_token)
    assert len((await desk.call(admin, "list_grants", everyone=True))["grants"]) == 1
    await desk.call(admin, "revoke_grant", grant_id=grant["grantId"])
    assert not await is_good(desk, issued.access_token)


async def test_an_agent_can_neither_see_nor_end_grants(desk, person):
    agent = person._replace(scopes=BUILDING_SCOPES)
    for operation, arguments in (("list_grants", {}), ("revoke_grant", {"grant_id": new_id()})):
        with refused(MissingScope):
            await desk.call(agent, operation, **arguments)


async def test_an_access_token_is_no_personal_token(desk, person):
    await let_in(desk, person, await client_of(desk))
    row = await desk.store.read(
        desk.workspace, lambda tx: tx.one("SELECT id FROM tokens WHERE workspace_id = :workspace")
    )
    with refused(NotFound):
        await desk.call(person, "revoke_token", token_id=row[0])


async def test_housekeeping_keeps_what_is_in_use(desk, person):
    unused = await client_of(desk, "Never let in")
    used = await client_of(desk, "Let in")
    issued = await let_in(desk, person, used)
    desk.clock.forward(DAY)
    await desk.dispatcher.call_as_server(delete_old_oauth_state.OPERATION, None)
    assert await find_client(desk.dispatcher, unused) is None
    assert await find_client(desk.dispatcher, used) is not None
    assert len((await desk.call(person, "list_grants"))["grants"]) == 1
    desk.clock.forward(DAY)
    await desk.dispatcher.call_as_server(delete_old_oauth_state.OPERATION, None)
    rows = "SELECT count(*) FROM tokens WHERE workspace_id = :workspace"
    assert (await desk.store.read(desk.workspace, lambda tx: tx.one(rows)))[0] == 0
    assert not await is_good(desk, issued.access_token)
    desk.clock.forward(100 * DAY)
    await desk.dispatcher.call_as_server(delete_old_oauth_state.OPERATION, None)
    assert (await desk.call(person, "list_grants"))["grants"] == []
    assert await find_client(desk.dispatcher, used) is None


async def test_a_flood_of_clients_pushes_out_its_own_and_nobody_elses(desk, person, monkeypatch):
    monkeypatch.setattr("pendesk.domain.limits.UNUSED_CLIENTS", 50)
    used = await client_of(desk, "Let in")
    await let_in(desk, person, used)
    desk.clock.forward(1)

    def flood(tx):
        for number in range(200):
            clients.upsert(tx, OAuthClient(new_id(), "registered", "x", "[]", tx.now - 200 + number, None, None))

    await desk.store.write("", flood)
    honest = await register_client(desk.dispatcher, "Honest", ["http://127.0.0.1/callback"])
    assert await find_client(desk.dispatcher, honest.id) is not None
    assert await find_client(desk.dispatcher, used) is not None
    left = "SELECT count(*) FROM oauth_clients WHERE used_at IS NULL"
    assert (await desk.store.read("", lambda tx: tx.one(left)))[0] == 50
