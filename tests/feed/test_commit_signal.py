"""The signal, alone."""

from pendesk.feed import peers
from pendesk.feed.commit_signal import CommitSignal, activity_topic
from pendesk.ids import new_id


def test_who_waits_for_a_workspace_is_woken_by_its_ring_only():
    signal = CommitSignal()
    with signal.subscribe("a") as here, signal.subscribe("b") as there:
        here.clear()
        there.clear()
        signal.on_local_db_commit("a")
        assert here.is_set()
        assert not there.is_set()


def test_all_who_wait_are_woken():
    signal = CommitSignal()
    with signal.subscribe("a") as one, signal.subscribe("a") as two:
        one.clear()
        two.clear()
        signal.on_local_db_commit("a")
        assert one.is_set()
        assert two.is_set()


def test_waiting_begins_woken_because_nobody_knows_what_was_before():
    with CommitSignal().subscribe("a") as rung:
        assert rung.is_set()


def test_who_has_left_is_forgotten():
    signal = CommitSignal()
    with signal.subscribe("a"):
        assert signal.subscribed_workspaces() == ["a"]
    assert signal.subscribed_workspaces() == []
    signal.on_local_db_commit("a")


def test_a_ring_of_this_process_is_passed_on_and_one_from_elsewhere_is_not():
    signal = CommitSignal()
    passed: list[str] = []
    signal.forward = passed.append
    signal.on_local_db_commit("a")
    signal.wake_subscribers("b")
    assert passed == ["a"]


def test_a_signal_that_is_closed_wakes_everyone():
    signal = CommitSignal()
    with signal.subscribe("a") as one, signal.subscribe("b") as two:
        one.clear()
        two.clear()
        signal.close_and_wake_subscribers()
        assert signal.closed
        assert one.is_set()
        assert two.is_set()


def test_what_sessions_do_wakes_only_who_waits_for_that():
    signal = CommitSignal()
    passed: list[str] = []
    signal.forward = passed.append
    with signal.subscribe("a") as log, signal.subscribe(activity_topic("a")) as activity:
        log.clear()
        activity.clear()
        signal.on_local_activity("a")
        assert (log.is_set(), activity.is_set()) == (False, True)
        activity.clear()
        signal.on_local_db_commit("a")
        assert (log.is_set(), activity.is_set()) == (True, False)
        assert signal.subscribed_workspaces() == ["a"]
        signal.wake_activity_subscribers()
        assert activity.is_set()
    assert passed == [activity_topic("a"), "a"]


def test_two_hundred_topics_fit_into_one_notification():
    assert 17 + peers.WORKSPACES_AT_ONCE * (len(activity_topic(new_id())) + 1) < 8_000


def test_what_agent_sessions_do_is_marked_whoever_tells_of_it():
    """Here, in another process, or perhaps there while nothing was heard of it. No two processes have the same mark."""
    signal = CommitSignal()
    marks = [signal.activity_mark("a"), CommitSignal().activity_mark("a")]
    for tell in (
        lambda: signal.on_local_activity("a"),
        lambda: signal.wake_subscribers(activity_topic("a")),
        signal.wake_activity_subscribers,
        signal.wake_all_subscribers,
    ):
        tell()
        marks.append(signal.activity_mark("a"))
    assert len(set(marks)) == 6
    signal.on_local_activity("b")
    signal.on_local_db_commit("a")
    assert signal.activity_mark("a") == marks[-1]
