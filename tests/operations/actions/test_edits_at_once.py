"""Several people edit the same text at the same moment: one wins, the others are told what it says now."""

import asyncio

import pytest

from pendesk.domain.errors import RevisionConflict
from tests.workbench import drafted_spec

NOUNS = ["project", "goal", "spec", "plan", "action", "criterion", "document", "note"]


async def texts(desk, ada):
    """Noun -> the id of one, each at its first revision."""
    work = await drafted_spec(desk, ada, actions=1, criteria=1)
    home = {"project_id": work.project_id, "title": "x"}
    made = {noun: (await desk.call(ada, f"create_{noun}", **home))["pid"] for noun in ("goal", "document", "note")}
    return made | {
        "project": work.project_id,
        "spec": work.spec_id,
        "plan": work.plan_id,
        "action": work.actions[0]["pid"],
        "criterion": work.actions[0]["criteria"][0],
    }


FIELD = {"project": "name", "action": "label", "criterion": "text"}


@pytest.mark.parametrize("noun", NOUNS)
async def test_of_many_edits_of_one_revision_one_is_kept(desk, ada, noun):
    ident = (await texts(desk, ada))[noun]

    async def edit(number):
        field = FIELD.get(noun, "title")
        asked = {f"{noun}_id": ident, field: f"Edit {number}", "expected_revision": 1}
        return await desk.call(ada, f"update_{noun}", **asked)

    told = await asyncio.gather(*(edit(number) for number in range(6)), return_exceptions=True)
    kept = [one for one in told if isinstance(one, dict)]
    refusals = [one for one in told if isinstance(one, RevisionConflict)]
    assert (len(kept), len(refusals)) == (1, 5)
    assert kept[0]["revision"] == 2
    assert all(one.details["currentRevision"] == 2 for one in refusals)


@pytest.mark.parametrize("noun", NOUNS)
async def test_edits_that_expect_nothing_all_count(desk, ada, noun):
    ident = (await texts(desk, ada))[noun]
    field = FIELD.get(noun, "title")
    told = await asyncio.gather(
        *(desk.call(ada, f"update_{noun}", **{f"{noun}_id": ident, field: f"Edit {each}"}) for each in range(6))
    )
    assert sorted(one["revision"] for one in told) == [2, 3, 4, 5, 6, 7]
