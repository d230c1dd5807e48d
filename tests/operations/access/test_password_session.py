import pytest

from pendesk.domain import token
from pendesk.domain.access import Role
from pendesk.domain.errors import RuleBroken
from pendesk.operations.access.password_hashing import HASHER
from pendesk.store import people, sign_in
from tests.callers import find_session, start_password_session
from tests.refusals import refused
from tests.workbench import join_next_door, next_door

PASSWORD = "correct horse bättery"


@pytest.fixture
async def ada(desk):
    person = await desk.person("Ada")
    await desk.call(person, "set_password", password=PASSWORD)
    return person


async def email_of(desk, person):
    return (await desk.store.read("", lambda tx: people.user(tx, person.user_id))).email


async def without_email(desk, person):
    forget = "UPDATE users SET email = NULL WHERE id = :user_id"
    await desk.store.write("", lambda tx: tx.run(forget, user_id=person.user_id))


async def start(desk, email, password):
    return await start_password_session(desk.dispatcher, email, password)


async def test_email_and_password_make_a_session(desk, ada):
    email = await email_of(desk, ada)
    secret = await start(desk, f" {email.upper()} ", PASSWORD)
    actor = await find_session(desk.dispatcher, secret)
    assert actor is not None
    assert (actor.user_id, actor.workspace_id, actor.via) == (ada.user_id, desk.workspace, "web")
    kinds = [event["kind"] for event in (await desk.call(ada, "list_events"))["events"]]
    assert kinds[-1] == "session.started"


async def test_what_does_not_fit_gets_nothing(desk, ada):
    email = await email_of(desk, ada)
    for who, word in (
        (email, PASSWORD + "x"),
        (email, PASSWORD.upper()),
        (email, ""),
        (email, "x" * 10_000),
        ("nobody@example.com", PASSWORD),
        ("", PASSWORD),
        ("\x00@x", PASSWORD),
        ("a@b" + "x" * 300, PASSWORD),
        (ada.user_id, PASSWORD),
    ):
        assert await start(desk, who, word) is None


async def test_an_account_without_password_cannot_be_entered(desk):
    person = await desk.person("Bob")
    for word in ("", "None", "x"):
        assert await start(desk, await email_of(desk, person), word) is None


async def test_who_is_removed_cannot_sign_in_and_a_changed_password_counts_at_once(desk, ada):
    email = await email_of(desk, ada)
    await desk.call(ada, "set_password", password="another long password")
    assert await start(desk, email, PASSWORD) is None
    assert await start(desk, email, "another long password")
    owner = await desk.person("Owner", role=type(ada.role).OWNER)
    await desk.call(owner, "remove_member", user_pid=ada.user_id)
    assert await start(desk, email, "another long password") is None


async def test_it_opens_all_workspaces_of_the_person(desk, ada):
    other = await next_door(desk)
    owner = await other.person("Owner", role=type(ada.role).OWNER)
    await join_next_door(other, owner, ada)
    secret = await start(desk, await email_of(desk, ada), PASSWORD)
    places = await desk.store.read(
        "", lambda tx: sign_in.workspace_ids_and_names_for_session(tx, token.hash_secret(secret))
    )
    assert [place for place, _name in places] == [desk.workspace, other.workspace]


async def test_an_unknown_account_costs_the_same_work_as_a_known_one(desk, ada, monkeypatch):
    """One hash is checked, whoever is named: the time tells nobody who has an account."""
    bob = await desk.person("Bob")  # has no password
    await start(desk, "nobody@example.com", PASSWORD)
    checked = []

    class Counting:
        def verify(self, known, password):
            checked.append(known)
            return HASHER.verify(known, password)

    monkeypatch.setattr("pendesk.operations.access.password_hashing.HASHER", Counting())
    for email in (await email_of(desk, ada), await email_of(desk, bob), "nobody@example.com", "no address"):
        checked.clear()
        assert await start(desk, email, "wrong") is None
        assert len(checked) == 1
        assert checked[0].startswith("$argon2id$v=19$m=19456,t=2,p=1$")


async def test_an_owner_without_an_email_gets_one_with_the_password_and_signs_in_with_both(desk):
    owner, other = await desk.person("Owner", Role.OWNER), await desk.person("Other", Role.OWNER)
    await without_email(desk, owner)
    await desk.call(owner, "set_password", password=PASSWORD, email="Owner@Example.com")
    assert await start(desk, "owner@example.com", PASSWORD)
    assert (await desk.call(owner, "list_sessions"))["email"] == "owner@example.com"
    for person, email in ((owner, "else@example.com"), (other, "owner@example.com"), (other, "new@example.com")):
        with refused(RuleBroken) as caught:
            await desk.call(person, "set_password", password=PASSWORD, email=email)
        assert caught.refusal.code == "email_not_added"


async def test_nobody_else_takes_an_email_by_setting_a_password(desk):
    """Whoever owns that address would be let into this account by their provider."""
    member = await desk.person("Member")
    await without_email(desk, member)
    with refused(RuleBroken):
        await desk.call(member, "set_password", password=PASSWORD, email="chief@example.com")
