"""What an agent finds when it asks what there is to do."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from pendesk.domain.access import BUILDING_SCOPES, Scope
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.limits import SPECS_PER_PAGE
from pendesk.operations.building import open_work
from pendesk.store import availability as standings
from tests.refusals import refused
from tests.workbench import drafted_spec, published_spec


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


async def available(desk, actor, **more):
    return (await desk.call(actor, "list_available_specs", **more))["specs"]


@contextmanager
def on_thread() -> Iterator[set[threading.Thread]]:
    """The threads on which it was looked for what is available."""
    threads: set[threading.Thread] = set()
    look = standings.open_of_participant

    def watched(*arguments):
        threads.add(threading.current_thread())
        return look(*arguments)

    with patch.object(standings, "open_of_participant", watched):
        yield threads


async def test_a_published_spec_is_shown_with_its_actions(desk, ada):
    work = await published_spec(desk, ada)
    (spec,) = await available(desk, ada)
    assert (spec["pid"], spec["title"]) == (work.spec_id, "Sign in")
    assert [(one["refCode"], one["status"], one["claimedBy"]) for one in spec["actions"]] == [
        (one["refCode"], "not-started", None) for one in work.actions
    ]


async def test_whoever_takes_part_in_many_is_answered_the_same_from_a_thread(desk, ada, monkeypatch):
    await published_spec(desk, ada)
    few = await available(desk, ada)
    context = await desk.call(ada, "get_context")
    monkeypatch.setattr(open_work, "OPEN_LOOKED_AT", 0)
    with on_thread() as threads:
        assert await available(desk, ada) == few
        assert await desk.call(ada, "get_context") == context
    assert threading.main_thread() not in threads


async def test_a_draft_is_not_shown(desk, ada):
    await drafted_spec(desk, ada)
    assert await available(desk, ada) == []


async def test_only_participants_see_it(desk, ada):
    work = await published_spec(desk, ada)
    grace = await desk.person("Grace", scopes=BUILDING_SCOPES)
    assert await available(desk, grace) == []
    with refused(NotFound):
        await desk.call(grace, "get_spec", spec_pid=work.spec_id)
    with refused(NotFound):
        await desk.call(grace, "get_action_brief", action_pid=work.actions[0]["pid"])


async def test_whoever_may_read_the_whole_desk_reads_every_spec_and_brief(desk, ada):
    work = await published_spec(desk, ada)
    grace = await desk.person("Grace", scopes=BUILDING_SCOPES | {Scope.DESK_READ})
    assert (await desk.call(grace, "get_spec", spec_pid=work.spec_id))["title"] == "Sign in"
    brief = await desk.call(grace, "get_action_brief", action_pid=work.actions[0]["pid"])
    assert brief["action"]["label"] == "Action 1"


async def test_a_spec_with_nothing_to_claim_says_who_holds_what(desk, ada):
    grace = await desk.person("Grace")
    work = await published_spec(desk, ada, actions=1, participants=(grace,))
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    (row,) = (await available(desk, ada))[0]["actions"]
    assert (row["availability"], row["claimedBy"]) == ("mine", ada.user_id)
    (row,) = (await available(desk, grace))[0]["actions"]
    assert (row["availability"], row["claimedBy"]) == ("held", ada.user_id)
    assert row["heldBy"]["agent"] == "Ada"


async def test_a_spec_of_a_paused_project_is_not_shown(desk, ada):
    work = await published_spec(desk, ada)
    await desk.call(ada, "update_project", project_id=work.project_id, state="paused")
    assert await available(desk, ada) == []


async def test_long_lists_come_in_pages_without_gaps_or_repeats(desk, ada):
    made = [(await published_spec(desk, ada, actions=1)).spec_id for _ in range(SPECS_PER_PAGE + 2)]
    first = await desk.call(ada, "list_available_specs")
    second = await desk.call(ada, "list_available_specs", cursor=first["nextCursor"])
    assert [one["pid"] for one in first["specs"] + second["specs"]] == made
    assert "nextCursor" not in second


async def test_a_made_up_cursor_is_refused(desk, ada):
    with refused(BadField):
        await desk.call(ada, "list_available_specs", cursor="' OR 1=1")


async def test_get_spec_shows_the_published_text_not_the_draft(desk, ada):
    work = await published_spec(desk, ada)
    await desk.call(ada, "update_spec", spec_id=work.spec_id, title="Sign in, but better")
    spec = await desk.call(ada, "get_spec", spec_pid=work.spec_id)
    assert (spec["title"], spec["build"]) == ("Sign in", "B1")
    assert spec["plan"] == {"approach": "Begin with the form."}
    assert [len(one["acceptanceCriteria"]) for one in spec["actions"]] == [2, 2]


async def test_of_the_finished_specs_the_newest_are_listed_last(desk, ada, monkeypatch):
    monkeypatch.setattr(open_work, "FINISHED_SPECS_LISTED", 2)
    finished = [(await published_spec(desk, ada, actions=1)) for _ in range(3)]
    for work in finished:
        await desk.call(ada, "update_action", action_id=work.actions[0]["pid"], state="wont_do", reason="No.")
    left = await published_spec(desk, ada, actions=1)
    listed = [spec["pid"] for spec in await available(desk, ada)]
    assert listed == [left.spec_id, *(work.spec_id for work in finished[1:])]
