"""The bell, alone."""

from pendesk.feed.commit_signal import Bell


def test_who_waits_for_a_workspace_is_woken_by_its_ring_only():
    bell = Bell()
    with bell.waiting("a") as here, bell.waiting("b") as there:
        here.clear()
        there.clear()
        bell.ring("a")
        assert here.is_set()
        assert not there.is_set()


def test_all_who_wait_are_woken():
    bell = Bell()
    with bell.waiting("a") as one, bell.waiting("a") as two:
        one.clear()
        two.clear()
        bell.ring("a")
        assert one.is_set()
        assert two.is_set()


def test_waiting_begins_woken_because_nobody_knows_what_was_before():
    with Bell().waiting("a") as rung:
        assert rung.is_set()


def test_who_has_left_is_forgotten():
    bell = Bell()
    with bell.waiting("a"):
        assert bell.waited_for() == ["a"]
    assert bell.waited_for() == []
    bell.ring("a")


def test_a_ring_of_this_process_is_passed_on_and_one_from_elsewhere_is_not():
    bell = Bell()
    passed: list[str] = []
    bell.pass_on = passed.append
    bell.ring("a")
    bell.hear("b")
    assert passed == ["a"]


def test_a_bell_that_is_taken_down_wakes_everyone():
    bell = Bell()
    with bell.waiting("a") as one, bell.waiting("b") as two:
        one.clear()
        two.clear()
        bell.take_down()
        assert bell.silent
        assert one.is_set()
        assert two.is_set()
