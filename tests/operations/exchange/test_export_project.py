"""A project out of one installation and into another, whole."""

import json

import pytest

from pendesk.domain.access import Role
from pendesk.store.portable import HISTORY, TABLES
from tests.exchange import exported, import_file, lived_through


@pytest.fixture
async def lived(desk):
    return await lived_through(desk)


def rows(told, word):
    return [row[word] for row in map(json.loads, told.splitlines()) if word in row]


async def test_a_lived_through_project_goes_elsewhere_and_comes_out_the_same(desk, elsewhere, lived):
    ada, project = lived
    told = await exported(desk, ada, project)
    for table in (*TABLES, HISTORY):
        assert rows(told, table.word), f"the test project has no {table.word}"
    eve = await elsewhere.person("Eve", Role.OWNER)
    made = await import_file(elsewhere, eve, told)
    assert made["pid"] == project
    assert await exported(elsewhere, eve, project) == told
