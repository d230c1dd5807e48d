import asyncio

import pytest

from pendesk.domain.errors import BadField
from pendesk.domain.signature import is_fingerprint_of
from pendesk.store import installation
from pendesk.store.installation import WrongSecret
from tests.callers import create_first_workspace, find_local_actor


async def test_the_first_secret_binds_the_database(fresh):
    for _ in range(2):
        await fresh.store.write("", lambda tx: installation.check_secret_matches_database(tx, b"first"))
    with pytest.raises(WrongSecret, match="PENDESK_SECRET_KEY"):
        await fresh.store.write("", lambda tx: installation.check_secret_matches_database(tx, b"second"))
    known = await fresh.store.read("", installation.secret_fingerprint)
    assert is_fingerprint_of(known, b"first")
    assert not is_fingerprint_of(known, b"second")


async def test_of_many_founders_one_founds(fresh):
    firsts = await asyncio.gather(
        *(
            create_first_workspace(fresh.dispatcher, workspace="Desk", name=f"Owner {number}", email=None)
            for number in range(8)
        )
    )
    assert len({first.id for first in firsts}) == 1
    assert sum(first.new for first in firsts) == 1
    actor = await find_local_actor(fresh.dispatcher)
    members = await fresh.call(actor, "list_members")
    assert [each["role"] for each in members["members"]] == ["owner"]
    events = await fresh.call(actor, "list_events")
    assert [each["kind"] for each in events["events"]][:3] == ["workspace.created", "user.created", "member.added"]


async def test_an_email_that_is_told_later_is_added_and_never_replaced(fresh):
    async def found(email):
        await create_first_workspace(fresh.dispatcher, workspace="Desk", name="Ada", email=email)
        return await find_local_actor(fresh.dispatcher, "ada@example.com")

    assert await found(None) is None
    assert await found("Ada@Example.com") is not None
    assert await found("eve@example.com") is not None
    assert await find_local_actor(fresh.dispatcher, "eve@example.com") is None


async def test_bad_names_are_refused(fresh):
    with pytest.raises(BadField):
        await create_first_workspace(fresh.dispatcher, workspace="", name="Ada", email=None)
    with pytest.raises(BadField, match="email"):
        await create_first_workspace(fresh.dispatcher, workspace="Desk", name="Ada", email="not an email")
