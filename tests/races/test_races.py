"""The races at a size that every test run can afford; `make races` runs them large."""

from collections.abc import AsyncIterator, Iterator

import pytest

from pendesk.store.engine.migrate import migrate
from tests.races import claiming, handover, log, messages, once, planning, sessions
from tests.races.crew import Crew, Place
from tests.races.scene import Scene

PROCESSES = 4


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def crew(request, tmp_path_factory) -> Iterator[Crew]:
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("races") / "pendesk.db"
        migrate(path, None)
        place = Place("sqlite", str(path))
    else:
        place = Place("postgres", request.getfixturevalue("postgres").create_database("races"))
        migrate(None, place.where)
    with Crew(place, PROCESSES) as crew:
        yield crew


@pytest.fixture
async def scene(crew: Crew) -> AsyncIterator[Scene]:
    store = crew.place.open(crew.clock)
    scene = Scene(crew, store)
    await scene.open()
    yield scene
    await store.close()


async def test_one_of_many_claimers_wins_an_action(scene):
    await claiming.one_action(scene, 40)


async def test_one_of_many_sessions_of_one_user_wins_an_action(scene):
    await sessions.one_action(scene, 40)


async def test_the_first_calls_of_one_terminal_are_one_session(scene):
    await sessions.first_calls(scene, 12)


async def test_the_hook_of_a_terminal_and_its_first_call_are_one_session(scene):
    await sessions.hook_and_first_call(scene, 12)


async def test_sessions_that_contend_for_few_actions_never_share_a_claim(scene):
    await sessions.contended(scene, 640)


async def test_one_user_gets_three_of_many_actions(scene):
    await claiming.one_user(scene, 12)


async def test_claims_and_releases_at_once_happened_in_some_order(scene):
    await claiming.histories(scene, 4)


async def test_a_paused_holder_writes_after_a_takeover_in_vain(scene):
    await handover.paused_holder(scene)


async def test_a_write_and_a_takeover_at_the_same_moment_have_one_order(scene):
    await handover.at_the_moment(scene, 3)


async def test_a_lease_that_many_calls_come_back_to_is_resumed_once(scene):
    await handover.resuming(scene, 4)


async def test_work_is_submitted_once(scene):
    await once.submitting_twice(scene, 3)


async def test_one_key_has_one_effect(scene):
    await once.one_key(scene, 12)


async def test_one_sha_is_one_commit(scene):
    await once.one_sha(scene, 5)


async def test_edges_drawn_at_once_close_no_cycle(scene):
    await once.closing_a_cycle(scene, 3)


async def test_one_of_many_editors_of_a_revision_wins(scene):
    await once.editing_one_revision(scene, 3)


async def test_builds_published_at_once_are_numbered_without_a_gap(scene):
    await once.publishing(scene, 6)


async def test_runs_comments_and_submissions_are_settled_once(scene):
    await planning.settled_once(scene, 3)


async def test_a_comment_keeps_its_words_while_others_edit(scene):
    await planning.commenting_while_editing(scene, 5)


async def test_a_message_is_read_once(scene):
    await messages.delivered_once(scene, 5)


async def test_a_message_to_an_action_that_is_claimed_meanwhile_is_read_once(scene):
    await messages.sent_while_claimed(scene, 5)


async def test_only_so_many_messages_are_queued(scene):
    await messages.queued(scene, 40)


async def test_a_message_is_read_or_cancelled(scene):
    await messages.cancelled_while_read(scene, 5)


async def test_readers_of_the_log_miss_nothing(scene):
    await log.following(scene, 8, 10)
