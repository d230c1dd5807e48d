"""The checker itself: it must accept what an order explains and refuse what none does."""

from hypothesis import given
from hypothesis import strategies as st

from tests.races.linear import FREE, Done, claim, explains, lease_step, release


def history(*calls):
    return [Done(*call) for call in calls]


def test_one_after_the_other_is_explained_by_its_own_order():
    calls = history((0, 1, "a", "claim", ("ok", 1)), (2, 3, "a", "release", ("ok",)), (4, 5, "b", "claim", ("ok", 2)))
    assert explains(calls, FREE, lease_step) == calls


def test_calls_at_the_same_time_may_have_happened_in_either_order():
    assert explains(
        history((0, 9, "a", "claim", ("already_claimed",)), (0, 9, "b", "claim", ("ok", 1))), FREE, lease_step
    )


def test_two_holders_at_once_are_not_explained():
    calls = history((0, 9, "a", "claim", ("ok", 1)), (0, 9, "b", "claim", ("ok", 2)))
    assert explains(calls, FREE, lease_step) is None


def test_a_fence_that_is_given_twice_is_not_explained():
    calls = history((0, 1, "a", "claim", ("ok", 1)), (2, 3, "a", "release", ("ok",)), (4, 5, "b", "claim", ("ok", 1)))
    assert explains(calls, FREE, lease_step) is None


def test_an_answer_from_before_an_earlier_call_had_ended_is_not_explained():
    calls = history(
        (0, 1, "a", "claim", ("ok", 1)),
        (2, 3, "a", "release", ("ok",)),
        (4, 5, "b", "claim", ("already_claimed",)),
    )
    assert explains(calls, FREE, lease_step) is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["claim", "release"]), st.integers(0, 8))), st.data())
def test_whatever_happened_in_some_order_is_explained_however_long_the_calls_lasted(script, data):
    lease, calls = FREE, []
    for moment, (caller, asked, slack) in enumerate(script):
        told, lease = claim(lease, caller) if asked == "claim" else release(lease, caller)
        early = data.draw(st.integers(0, slack))
        calls.append(Done(10 * moment - 10 * early, 10 * moment + 10 * (slack - early) + 1, caller, asked, told))
    assert explains(calls, FREE, lease_step) is not None
