"""A project out of one installation and into another, whole."""

import json

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import NotFound
from pendesk.store.portable.tables import HISTORY, TABLES
from tests.exchange import exported, import_file, lived_through
from tests.exchange_scale import big_export
from tests.refusals import refused
from tests.workbench import next_door


@pytest.fixture
async def lived(desk):
    return await lived_through(desk)


def rows(told, word):
    return [row[word] for row in map(json.loads, told.splitlines()) if word in row]


async def test_a_lived_through_project_goes_elsewhere_and_comes_out_the_same(desk, elsewhere, lived):
    ada, project = lived
    result = await exported(desk, ada, project)
    for table in (*TABLES, HISTORY):
        assert rows(result, table.row_kind), f"the test project has no {table.row_kind}"
    eve = await elsewhere.person("Eve", Role.OWNER)
    imported = await import_file(elsewhere, eve, result)
    assert imported["pid"] == project
    assert await exported(elsewhere, eve, project) == result


async def test_a_project_of_many_steps_comes_out_of_both_engines_with_the_same_bytes(desk, elsewhere):
    """`make exchange` does the same with 5,000 actions, and measures it."""
    result = b"".join(big_export(300, 60_000))
    ada, eve = await desk.person("Ada", Role.OWNER), await elsewhere.person("Eve", Role.OWNER)
    await import_file(desk, ada, result)
    second = await exported(desk, ada, "BIG")
    await import_file(elsewhere, eve, second)
    assert second == result
    assert await exported(elsewhere, eve, "BIG") == result


async def test_nothing_that_lets_anyone_in_is_in_it(desk, lived):
    ada, project = lived
    token = (await desk.call(ada, "create_token", name="x"))["token"]
    content = (await exported(desk, ada, project)).decode()
    hashes = await desk.store.read(
        desk.workspace, lambda tx: tx.all("SELECT hash FROM tokens UNION SELECT hash FROM shares")
    )
    assert [secret for secret in (token, *(row[0] for row in hashes)) if secret in content] == []


async def test_who_does_not_see_a_project_finds_none(desk, lived):
    _, project = lived
    stranger = await (await next_door(desk)).person("Eve", Role.OWNER)
    with refused(NotFound):
        await desk.call(stranger, "export_project", project_id=project)
