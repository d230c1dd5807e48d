"""The signal, alone."""

from pendesk.feed.commit_signal import CommitSignal


def test_who_waits_for_a_workspace_is_woken_by_its_ring_only():
    signal = CommitSignal()
    with signal.waiting("a") as here, signal.waiting("b") as there:
        here.clear()
        there.clear()
        signal.ring("a")
        assert here.is_set()
        assert not there.is_set()


def test_all_who_wait_are_woken():
    signal = CommitSignal()
    with signal.waiting("a") as one, signal.waiting("a") as two:
        one.clear()
        two.clear()
        signal.ring("a")
        assert one.is_set()
        assert two.is_set()


def test_waiting_begins_woken_because_nobody_knows_what_was_before():
    with CommitSignal().waiting("a") as rung:
        assert rung.is_set()


def test_who_has_left_is_forgotten():
    signal = CommitSignal()
    with signal.waiting("a"):
        assert signal.waited_for() == ["a"]
    assert signal.waited_for() == []
    signal.ring("a")


def test_a_ring_of_this_process_is_passed_on_and_one_from_elsewhere_is_not():
    signal = CommitSignal()
    passed: list[str] = []
    signal.pass_on = passed.append
    signal.ring("a")
    signal.hear("b")
    assert passed == ["a"]


def test_a_bell_that_is_taken_down_wakes_everyone():
    signal = CommitSignal()
    with signal.waiting("a") as one, signal.waiting("b") as two:
        one.clear()
        two.clear()
        signal.take_down()
        assert signal.silent
        assert one.is_set()
        assert two.is_set()
