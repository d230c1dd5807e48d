import pytest

from pendesk.clock import to_iso
from pendesk.domain import token
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField, MissingScope, NotFound, RoleForbids, Unauthenticated
from pendesk.transports.authenticate import authenticate_bearer_token
from tests.desk import MINUTE
from tests.events import events_of
from tests.refusals import refused


async def speaks_for(desk, secret):
    return await authenticate_bearer_token(desk.dispatcher, f"Bearer {secret}", "mcp")


async def test_a_token_speaks_for_its_maker_with_the_building_scopes(desk):
    ada = await desk.person("Ada")
    made = await desk.call(ada, "create_token", name="Claude Code")
    actor = await speaks_for(desk, made["token"])
    assert (actor.user_id, actor.workspace_id, actor.role, actor.via) == (
        ada.user_id,
        desk.workspace,
        Role.MEMBER,
        "mcp",
    )
    assert actor.scopes == {Scope.SPECS_READ, Scope.BUILDS_WRITE}
    assert actor.token_id == made["tokenId"]
    assert made["scopes"] == ["specs.read", "builds.write"]


async def test_the_secret_is_shown_once_and_stored_nowhere(desk):
    ada = await desk.person("Ada")
    secret = (await desk.call(ada, "create_token", name="Claude Code"))["token"]
    assert token.has_token_format(secret)
    assert secret not in str(await desk.call(ada, "list_tokens"))
    assert secret not in str(await desk.call(ada, "list_events"))

    def every_text(tx):
        rows = tx.all("SELECT hash, name FROM tokens") + tx.all("SELECT data, kind FROM events")
        return str(rows + tx.all("SELECT answer, key FROM idempotency_keys"))

    assert secret not in await desk.store.read(desk.workspace, every_text)


@pytest.mark.parametrize(
    "authorization", [None, "", "Bearer", "Bearer ", "Basic abc", "pendesk_mcp_x", "Bearer  ", "Bearer a b"]
)
async def test_what_is_no_token_is_refused(desk, authorization):
    with refused(Unauthenticated):
        await authenticate_bearer_token(desk.dispatcher, authorization, "mcp")


async def test_a_malformed_token_costs_no_read_of_the_database(desk, monkeypatch):
    monkeypatch.setattr(desk.dispatcher, "store", None)
    with refused(Unauthenticated) as caught:
        await authenticate_bearer_token(desk.dispatcher, "Bearer pendesk_mcp_" + "a" * 49, "mcp")
    assert caught.refusal.details == {"sent": True}


async def test_a_token_of_another_server_is_refused(desk):
    with refused(Unauthenticated):
        await speaks_for(desk, token.make_token(b"x" * 32))


async def test_revoked_is_refused_at_once_and_revoking_again_changes_nothing(desk):
    ada = await desk.person("Ada")
    made = await desk.call(ada, "create_token", name="Claude Code")
    await speaks_for(desk, made["token"])
    for _ in range(2):
        assert (await desk.call(ada, "revoke_token", token_id=made["tokenId"]))["state"] == "revoked"
    with refused(Unauthenticated):
        await speaks_for(desk, made["token"])
    (event,) = await events_of(desk, ada, "token.revoked")
    assert event["data"] == {"name": "Claude Code", "user": ada.user_id}


async def test_who_revokes_a_token_is_told_whose_it_was(desk):
    admin, ada = await desk.person("Admin", Role.ADMIN), await desk.person("Ada")
    made = await desk.call(ada, "create_token", name="Claude Code")
    (shown,) = (await desk.call(admin, "list_tokens", everyone=True))["tokens"]
    assert await desk.call(admin, "revoke_token", token_id=made["tokenId"]) == {
        **shown,
        "state": "revoked",
        "revokedAt": to_iso(desk.clock()),
    }
    for unknown in ("nonsense", made["tokenId"][:-1]):
        with refused(NotFound):
            await desk.call(admin, "revoke_token", token_id=unknown)


async def test_a_token_expires(desk):
    ada = await desk.person("Ada")
    made = await desk.call(ada, "create_token", name="Claude Code", expires_in_days=1)
    desk.clock.forward(24 * 60 * MINUTE - 1)
    await speaks_for(desk, made["token"])
    desk.clock.forward(1)
    with refused(Unauthenticated):
        await speaks_for(desk, made["token"])
    assert (await desk.call(ada, "list_tokens"))["tokens"][0]["state"] == "expired"


async def test_last_use_is_told_to_the_minute(desk):
    ada = await desk.person("Ada")
    made = await desk.call(ada, "create_token", name="Claude Code")

    async def last_used():
        await speaks_for(desk, made["token"])
        return (await desk.call(ada, "list_tokens"))["tokens"][0]["lastUsedAt"]

    first = await last_used()
    desk.clock.forward(MINUTE - 1)
    assert await last_used() == first
    desk.clock.forward(1)
    assert await last_used() > first


async def test_a_changed_role_counts_from_the_next_request(desk):
    owner, ada = await desk.person("Owner", Role.OWNER), await desk.person("Ada")
    made = await desk.call(ada, "create_token", name="Claude Code")
    await desk.call(owner, "change_role", user_pid=ada.user_id, role="viewer")
    assert (await speaks_for(desk, made["token"])).role is Role.VIEWER


async def test_no_token_can_make_tokens(desk):
    ada = await desk.person("Ada", Role.OWNER)
    every = ["specs.read", "builds.write", "desk.read", "desk.write"]
    made = await desk.call(ada, "create_token", name="All", scopes=every)
    agent = await speaks_for(desk, made["token"])
    for operation, asked in {
        "create_token": {"name": "More"},
        "list_tokens": {},
        "revoke_token": {"token_id": made["tokenId"]},
        "create_user": {"name": "Eve", "kind": "agent"},
        "create_sign_in_link": {},
        "set_password": {"password": "correct horse"},
        "change_role": {"user_pid": ada.user_id, "role": "viewer"},
        "remove_member": {"user_pid": ada.user_id},
    }.items():
        with refused(MissingScope):
            await desk.call(agent, operation, **asked)
    with refused(BadField):
        await desk.call(ada, "create_token", name="Person", scopes=["person"])


async def test_who_may_make_a_token_for_whom(desk):
    owner, admin, ada = [await desk.person(role.label, role) for role in (Role.OWNER, Role.ADMIN, Role.MEMBER)]
    bot = (await desk.call(admin, "create_user", name="Bot", kind="agent"))["userId"]

    async def make(actor, user_id):
        return await desk.call(actor, "create_token", name="x", user_pid=user_id)

    assert (await make(admin, bot))["userId"] == bot
    assert (await make(owner, ada.user_id))["userId"] == ada.user_id
    for actor, user_id in [(ada, bot), (ada, admin.user_id), (admin, ada.user_id), (admin, owner.user_id)]:
        with refused(RoleForbids):
            await make(actor, user_id)


async def test_others_tokens_are_not_there_unless_you_are_admin(desk):
    admin, ada, bob = await desk.person("Admin", Role.ADMIN), await desk.person("Ada"), await desk.person("Bob")
    made = await desk.call(ada, "create_token", name="Ada's")
    with refused(NotFound):
        await desk.call(bob, "revoke_token", token_id=made["tokenId"])
    with refused(RoleForbids):
        await desk.call(bob, "list_tokens", user_pid=ada.user_id)
    assert (await desk.call(bob, "list_tokens", everyone=True))["tokens"] == []
    assert [each["name"] for each in (await desk.call(admin, "list_tokens", everyone=True))["tokens"]] == ["Ada's"]
    await desk.call(admin, "revoke_token", token_id=made["tokenId"])


async def test_nothing_crosses_workspaces(desk, open_store):
    from tests.desk import TestDesk

    other = await TestDesk(desk.store, desk.clock).open()
    ada, stranger = await desk.person("Ada", Role.OWNER), await other.person("Stranger", Role.OWNER)
    made = await desk.call(ada, "create_token", name="Ada's")
    with refused(NotFound):
        await other.call(stranger, "revoke_token", token_id=made["tokenId"])
    with refused(NotFound):
        await other.call(stranger, "create_token", name="x", user_pid=ada.user_id)
    assert (await other.call(stranger, "list_tokens", everyone=True))["tokens"] == []


async def test_long_lists_come_in_pages(desk):
    ada = await desk.person("Ada", Role.OWNER)
    for each in range(60):
        await desk.call(ada, "create_token", name=f"Token {each}")
    first = await desk.call(ada, "list_tokens")
    second = await desk.call(ada, "list_tokens", cursor=first["nextCursor"])
    names = [each["name"] for each in first["tokens"] + second["tokens"]]
    assert names == [f"Token {each}" for each in range(60)]
    assert "nextCursor" not in second
