import asyncio

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, NotFound, Refusal, RoleForbids, RuleBroken, Unauthenticated
from pendesk.domain.token import hash_secret
from pendesk.operations.access.password_hashing import HASHER
from pendesk.store import people, sign_in
from pendesk.transports.authenticate import authenticate_bearer_token
from tests.callers import find_session, start_password_session, start_session
from tests.desk import MINUTE, TestDesk
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import join_next_door, published_spec


@pytest.fixture
async def owner(desk):
    return await desk.person("Owner", Role.OWNER)


async def test_a_person_is_added_by_email_and_an_agent_without(desk, owner):
    email = f"Bob-{desk.workspace}@Example.com"
    bob = await desk.call(owner, "create_user", name="Bob", email=email, role="viewer")
    bot = await desk.call(owner, "create_user", name="Bot", kind="agent")
    assert (bob["email"], bob["role"], bob["kind"]) == (email.lower(), "viewer", "person")
    assert ("email" in bot, bot["role"], bot["kind"]) == (False, "member", "agent")
    listed = await desk.call(owner, "list_members")
    assert [each["name"] for each in listed["members"]] == ["Owner", "Bob", "Bot"]


@pytest.mark.parametrize(
    "asked",
    [
        {"name": "Bob"},
        {"name": "Bob", "email": "nonsense"},
        {"name": "Bob", "email": "a b@example.com"},
        {"name": "Bot", "kind": "agent", "email": "bot@example.com"},
        {"name": "Bot", "kind": "agent", "role": "admin"},
        {"name": "  ", "email": "bob@example.com"},
        {"name": "Bob", "email": "bob@example.com", "role": "king"},
    ],
)
async def test_what_makes_no_sense_is_refused_by_field(desk, owner, asked):
    with refused(BadField):
        await desk.call(owner, "create_user", **asked)


async def test_a_member_is_not_added_twice_but_comes_back(desk, owner):
    email = f"bob-{desk.workspace}@example.com"
    bob = await desk.call(owner, "create_user", name="Bob", email=email)
    with refused(RuleBroken, "already_member"):
        await desk.call(owner, "create_user", name="Bobby", email=email)
    await desk.call(owner, "remove_member", user_pid=email)
    with refused(NotFound):
        await desk.call(owner, "change_role", user_pid=email, role="viewer")
    again = await desk.call(owner, "create_user", name="Bobby", email=email, role="viewer")
    assert (again["userId"], again["name"], again["role"]) == (bob["userId"], "Bob", "viewer")


async def test_a_person_of_another_workspace_can_be_a_member_here_too(desk, owner):
    other = await TestDesk(desk.store, desk.clock).open()
    stranger = await other.person("Stranger", Role.OWNER)
    ada = await desk.person("Ada")
    email = (await desk.store.read(desk.workspace, lambda tx: people.account(tx, ada.user_id))).email
    with refused(NotFound):
        await other.call(stranger, "remove_member", user_pid=ada.user_id)
    with refused(RuleBroken, "account_exists") as caught:
        await other.call(stranger, "create_user", name="Anything", email=email)
    assert "Ada" not in caught.refusal.message
    await join_next_door(other, stranger, ada)
    # A password would open the other workspace as well.
    with refused(RuleBroken, "not_only_here"):
        await other.call(stranger, "set_password", user_pid=ada.user_id, password="correct horse")
    await other.call(stranger, "remove_member", user_pid=ada.user_id)
    assert len((await desk.call(owner, "list_members"))["members"]) == 2


async def test_an_account_that_a_stranger_made_for_an_address_gets_them_in_nowhere_else(desk, owner):
    """Somebody next door makes an account for Carol's address, with a password that they know, and waits."""
    other = await TestDesk(desk.store, desk.clock).open()
    stranger = await other.person("Stranger", Role.OWNER)
    email = f"carol-{desk.workspace}@example.com"
    await other.call(stranger, "create_user", name="Carol", email=email)
    await other.call(stranger, "set_password", user_pid=email, password="the stranger knows this")
    with refused(RuleBroken, "account_exists"):
        await desk.call(owner, "create_user", name="Carol", email=email)
    await desk.call(owner, "invite_member", email=email)
    secret = await start_password_session(desk.dispatcher, email, "the stranger knows this")
    actor = await find_session(desk.dispatcher, secret or "")
    assert actor is not None
    assert actor.workspace_id == other.workspace
    places = await desk.store.read(
        "", lambda tx: sign_in.workspace_ids_and_names_for_session(tx, hash_secret(secret or ""))
    )
    assert [place for place, _name in places] == [other.workspace]


async def test_roles_are_given_and_taken_only_downwards(desk, owner):
    admin, other, ada = [await desk.person(name, role) for name, role in _STAFF]
    for actor, member, role in [
        (ada, admin, "viewer"),
        (admin, owner, "member"),
        (admin, other, "member"),
        (admin, ada, "owner"),
        (admin, admin, "owner"),
    ]:
        with refused(RoleForbids):
            await desk.call(actor, "change_role", user_pid=member.user_id, role=role)
    for member in (owner, other):
        with refused(RoleForbids):
            await desk.call(admin, "remove_member", user_pid=member.user_id)
    with refused(RoleForbids):
        await desk.call(admin, "create_user", name="Eve", email="eve@example.com", role="owner")
    assert (await desk.call(admin, "change_role", user_pid=ada.user_id, role="admin"))["role"] == "admin"
    assert (await desk.call(owner, "change_role", user_pid=ada.user_id, role="owner"))["role"] == "owner"


_STAFF = [("Admin", Role.ADMIN), ("Other", Role.ADMIN), ("Ada", Role.MEMBER)]


async def test_an_agents_account_never_rules(desk, owner):
    bot = await desk.call(owner, "create_user", name="Bot", kind="agent")
    with refused(RuleBroken, "agent_account"):
        await desk.call(owner, "change_role", user_pid=bot["userId"], role="admin")


async def test_an_agents_account_reads_only_or_works_and_the_log_has_both_roles(desk, owner):
    bot = await desk.call(owner, "create_user", name="Bot", kind="agent")
    for role in ("viewer", "member"):
        assert (await desk.call(owner, "change_role", user_pid=bot["userId"], role=role))["role"] == role
    # The role that it has already is no change.
    again = await desk.call(owner, "change_role", user_pid=bot["userId"], role="member")
    assert (again["userId"], again["role"]) == (bot["userId"], "member")
    changes = [event["data"] for event in await events_of(desk, owner, "member.role_changed")]
    assert changes == [{"before": "member", "after": "viewer"}, {"before": "viewer", "after": "member"}]


async def test_the_last_owner_stays(desk, owner):
    for operation, asked in [("change_role", {"role": "admin"}), ("remove_member", {})]:
        with refused(RuleBroken, "last_owner"):
            await desk.call(owner, operation, user_pid=owner.user_id, **asked)
    second = await desk.person("Second", Role.OWNER)
    await desk.call(owner, "remove_member", user_pid=owner.user_id)
    with refused(RuleBroken, "last_owner"):
        await desk.call(second, "remove_member", user_pid=second.user_id)


async def test_two_owners_who_remove_each_other_at_once_leave_one(desk, owner):
    second = await desk.person("Second", Role.OWNER)
    done = await asyncio.gather(
        desk.call(owner, "remove_member", user_pid=second.user_id),
        desk.call(second, "remove_member", user_pid=owner.user_id),
        return_exceptions=True,
    )
    assert sum(isinstance(each, Refusal) for each in done) == 1


async def test_removal_acts_at_once(desk, owner):
    ada = await desk.person("Ada")
    work = await published_spec(desk, owner, participants=(ada,))
    token = (await desk.call(ada, "create_token", name="x"))["token"]
    link = await desk.call(ada, "create_sign_in_link")
    session = await start_session(desk.dispatcher, link["url"].partition("code=")[2])
    assert session is not None
    unused = await desk.call(ada, "create_sign_in_link")
    held, lapsed = work.actions
    await desk.call(ada, "claim_action", action_pid=lapsed["pid"])
    desk.clock.forward(31 * MINUTE)
    await desk.call(ada, "claim_action", action_pid=held["pid"])
    assert await find_session(desk.dispatcher, session) is not None

    await desk.call(owner, "remove_member", user_pid=ada.user_id)

    with refused(Unauthenticated):
        await authenticate_bearer_token(desk.dispatcher, f"Bearer {token}", "mcp")
    assert await find_session(desk.dispatcher, session) is None
    assert await start_session(desk.dispatcher, unused["url"].partition("code=")[2]) is None
    for action in work.actions:
        assert (await desk.call(owner, "claim_action", action_pid=action["pid"]))["status"] == "started"
    kinds = [each["kind"] for each in (await desk.call(owner, "list_events", limit=50))["events"]]
    assert kinds.count("action.released") == 2
    assert "member.removed" in kinds
    # Their part in the spec stays in the history, and their name with what they did.
    participant = "SELECT 1 FROM participants WHERE workspace_id = :workspace AND user_id = :user_id"
    assert await desk.store.read(desk.workspace, lambda tx: tx.one(participant, user_id=ada.user_id))


async def test_a_password_is_stored_as_argon2id(desk, owner):
    ada = await desk.person("Ada")
    told = await desk.call(ada, "set_password", password="correct horse battery")
    assert told["hasPassword"] is True
    user = await desk.store.read(desk.workspace, lambda tx: people.user(tx, ada.user_id))
    assert user.password_hash.startswith("$argon2id$")
    assert HASHER.verify(user.password_hash, "correct horse battery")
    for password in ("short", "x" * 201):
        with refused(BadField):
            await desk.call(ada, "set_password", password=password)
    with refused(RoleForbids):
        await desk.call(ada, "set_password", password="correct horse", user_pid=owner.user_id)
    events = str(await desk.call(owner, "list_events"))
    assert "correct horse" not in events
    assert "argon2" not in events


async def test_an_agent_sees_members_without_their_addresses(desk, owner):
    made = await desk.call(owner, "create_token", name="x", scopes=["desk.read"])
    agent = await authenticate_bearer_token(desk.dispatcher, f"Bearer {made['token']}", "rest")
    listed = await desk.call(agent, "list_members")
    assert [each["name"] for each in listed["members"]] == ["Owner"]
    assert "@" not in str(listed)
