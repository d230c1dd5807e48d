"""grant: the agents that members signed in through the browser."""

import asyncio

import pytest

from pendesk.domain.oauth import Grant
from pendesk.ids import new_id
from pendesk.main import open_service
from pendesk.settings import load
from pendesk.store import grants
from tests.callers import find_local_actor


async def add_grant(data, user_id):
    async with open_service(load(data_folder=str(data)), "http://127.0.0.1:3847") as service:
        owner = await find_local_actor(service.dispatcher)
        given = Grant(new_id(), user_id, "c", "Codex", "specs.read", "x", 1, 1, 2**52, None)
        await service.dispatcher.store.write(owner.workspace_id, lambda tx: grants.add(tx, given))
        return given.id


@pytest.fixture
def grant_id(ask, data):
    ask("init")
    mara = ask("user", "add", "--name", "Mara", "--email", "mara@example.com")
    return asyncio.run(add_grant(data, mara["userId"]))


def test_those_of_every_member_are_listed_and_revoked(run, ask, grant_id):
    (row,) = ask("grant", "list")["grants"]
    assert (row["grantId"], row["userName"], row["clientName"]) == (grant_id, "Mara", "Codex")
    assert run("grant", "list").stdout.splitlines()[1].split()[:4] == [grant_id, "Codex", "Mara", "specs.read"]
    assert ask("grant", "list", "--user", "mara@example.com")["grants"] == [row]
    assert run("grant", "revoke", grant_id).stdout == "Revoked the access of 'Codex' for Mara.\n"
    assert ask("grant", "list")["grants"] == []
    assert run("grant", "revoke", "nothing").exit_code == 1
